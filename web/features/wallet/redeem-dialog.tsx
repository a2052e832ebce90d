import type { RedeemedCode } from "../../../src/payments/contract/codes.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { useForm } from "../../lib/form.ts";
import { formatMoney } from "../../lib/format.ts";
import { useSession } from "../../lib/session.tsx";
import { FormDialog } from "../../ui/dialogs/form-dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { moneyPaths } from "./money-paths.ts";

interface RedeemDialogProps {
  /** There is no other way to pay, which is said. */
  readonly noWay?: boolean;
  readonly onClose: () => void;
}

export function RedeemDialog({ noWay = false, onClose }: RedeemDialogProps) {
  const { t, locale } = useSpeech();
  const { path } = useSession();
  const form = useForm({
    initial: { code: "" },
    check: ({ code }) => (code.trim() === "" ? { code: t("errors.required") } : {}),
    submit: ({ code }) => api.post<RedeemedCode>(path("/codes/redeem"), { code: code.trim() }),
    done: ({ amount }) => t("wallet.redeemed", { amount: formatMoney(amount, locale) }),
    onDone: onClose,
    refresh: moneyPaths(path),
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={t("wallet.redeemTitle")}
      description={t(noWay ? "wallet.noWay" : "wallet.redeemHint")}
      action={t("wallet.redeemAction")}
    >
      <TextField
        form={form}
        name="code"
        label={t("wallet.code")}
        autoFocus
        mono
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        placeholder="FG-XXXXX-XXXXX-XXXXX-XXXXX"
      />
    </FormDialog>
  );
}
