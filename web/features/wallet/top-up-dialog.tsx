import { useState } from "react";
import type { Order } from "../../../src/payments/contract/orders.ts";
import type { Wallet } from "../../../src/payments/contract/wallet.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { useForm } from "../../lib/form.ts";
import { formatMoney } from "../../lib/format.ts";
import { Link } from "../../lib/link.tsx";
import { useSession } from "../../lib/session.tsx";
import { Notice } from "../../ui/badge.tsx";
import { Button, buttonClass } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { type Closes, Dialog } from "../../ui/dialogs/dialog.tsx";
import { FormDialog } from "../../ui/dialogs/form-dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { checkAmount, PRESETS, waysOf } from "./payment.ts";
import { RedeemDialog } from "./redeem-dialog.tsx";
import { TestPayDialog } from "./test-pay-dialog.tsx";
import { WayChoice } from "./way-choice.tsx";

interface TopUpProps extends Closes {
  readonly wallet: Wallet;
}

export function TopUpDialog(props: TopUpProps) {
  const { me } = useSession();
  if (waysOf(props.wallet.providers).length > 0) return <TopUpForm {...props} />;
  if (me.operator) return <NoWayDialog onClose={props.onClose} />;
  return <RedeemDialog noWay onClose={props.onClose} />;
}

/** First the amount and the way; then the provider's page, or the confirmation of a test. */
function TopUpForm({ wallet, onClose }: TopUpProps) {
  const { t, locale } = useSpeech();
  const { path } = useSession();
  const [order, setOrder] = useState<Order>();
  const ways = waysOf(wallet.providers);
  const form = useForm({
    initial: { amount: "25", way: ways[0]?.id ?? "test" },
    fieldOf: (param) => (param === "provider" || param === "method" ? "way" : param),
    check: ({ amount }) => {
      const { error } = checkAmount(amount, t, locale);
      return error ? { amount: error } : {};
    },
    submit: async ({ amount, way: id }) => {
      const way = ways.find((one) => one.id === id);
      const made = await api.post<Order>(path("/orders"), {
        provider: way?.provider,
        amount: checkAmount(amount, t, locale).amount,
        ...(way?.method && { method: way.method }),
      });
      if (made.checkout_url) location.assign(made.checkout_url);
      else setOrder(made);
    },
  });
  const { values, errors, set } = form;
  const { amount } = checkAmount(values.amount, t, locale);
  if (order) return <TestPayDialog order={order} onClose={onClose} />;
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={t("wallet.topUpTitle")}
      action={t(values.way === "test" ? "words.continue" : "wallet.toCheckout")}
    >
      <TextField
        form={form}
        name="amount"
        label={t("wallet.amount")}
        hint={t("wallet.topUpHint")}
        autoFocus
        money
      />
      <Presets amount={amount} onChoose={(value) => set("amount", value)} />
      <WayChoice
        ways={ways}
        value={values.way}
        error={errors.way}
        amount={amount}
        currency={wallet.display_currency}
        onChange={(way) => set("way", way)}
      />
    </FormDialog>
  );
}

/** Tells operators how to offer a way to pay. */
function NoWayDialog({ onClose }: Closes) {
  const { t } = useSpeech();
  const { account } = useSession();
  const accounts = { to: "/operator/accounts", search: { q: account.name } };
  return (
    <Dialog
      onClose={onClose}
      title={t("wallet.topUpTitle")}
      footer={
        <>
          <Button onClick={onClose}>{t("words.close")}</Button>
          <Link {...accounts} className={buttonClass("primary")}>
            {t("wallet.noWayCredit")}
          </Link>
        </>
      }
    >
      <Notice>{t("wallet.noWayOperator")}</Notice>
    </Dialog>
  );
}

interface PresetsProps {
  readonly amount: string | undefined;
  readonly onChoose: (amount: string) => void;
}

function Presets({ amount, onChoose }: PresetsProps) {
  const { t, locale } = useSpeech();
  return (
    <fieldset className="-mt-1 grid grid-cols-4 gap-2">
      <legend className="sr-only">{t("wallet.presets")}</legend>
      {PRESETS.map((preset) => (
        <Button
          key={preset}
          size="small"
          aria-pressed={amount === preset}
          onClick={() => onChoose(preset)}
          className={cx("tabular-nums", amount === preset && "border-accent! text-accent!")}
        >
          {formatMoney(preset, locale).replace(/\.00$/, "")}
        </Button>
      ))}
    </fieldset>
  );
}
