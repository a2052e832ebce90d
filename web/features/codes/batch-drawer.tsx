import { Ban } from "lucide-react";
import { useState } from "react";
import type { Code, CodeBatch, RevokedBatch } from "../../../src/payments/contract/codes.ts";
import { type Speech, useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { TextLink } from "../../lib/link.tsx";
import { useRows } from "../../lib/queries.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Code as Mono } from "../../ui/code.tsx";
import { Confirm } from "../../ui/dialogs/confirm.tsx";
import { type Closes, Drawer } from "../../ui/dialogs/dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Select } from "../../ui/select.tsx";
import { column, useColumns } from "../../ui/tables/columns.tsx";
import { type Column, DataTable } from "../../ui/tables/table.tsx";
import { Time } from "../../ui/time.tsx";
import { useAction } from "../../ui/toasts/toast.tsx";
import { BATCHES } from "./batches.ts";

/** One code that is to be revoked, or all that nobody has used. */
type Wanted = Code | "all";

/** What became of the codes of a batch, and the end of those that nobody has used. */
export function BatchDrawer({ batch, onClose }: Closes & { readonly batch: CodeBatch }) {
  const { t } = useSpeech();
  const [state, setState] = useState("");
  const [wanted, setWanted] = useState<Wanted>();
  const rows = useRows<Code>(`${BATCHES}/${batch.id}/codes`, { state });
  const columns = useColumns(columnsOf, setWanted);
  const unused = batch.count - batch.redeemed - batch.revoked;
  const states = [
    { value: "", label: t("codes.allStates") },
    ...STATES.map((value) => ({ value, label: t(`codes.state_${value}`) })),
  ];
  const all = <Button onClick={() => setState("")}>{t("codes.showAll")}</Button>;
  return (
    <Drawer
      onClose={onClose}
      title={batch.note || t("codes.batch")}
      description={<Mono>{batch.id}</Mono>}
      footer={
        unused > 0 && (
          <Button kind="danger" onClick={() => setWanted("all")}>
            <Ban size={15} />
            {t("codes.revokeAll")}
          </Button>
        )
      }
    >
      <Select
        label={t("words.status")}
        className="mb-4 w-44"
        value={state}
        choices={states}
        onChange={setState}
      />
      <Card flush>
        <DataTable
          label={t("codes.codesOf")}
          columns={columns}
          rows={rows}
          empty={<EmptyState title={t("codes.noneOfState")} action={all} />}
        />
      </Card>
      <RevokeQuestion {...{ batch, unused, wanted }} onClose={() => setWanted(undefined)} />
    </Drawer>
  );
}

const STATES: readonly Code["state"][] = ["unused", "redeemed", "revoked"];
const TONES = { unused: "neutral", redeemed: "good", revoked: "warn" } as const;

function columnsOf({ t }: Speech, revoke: (code: Code) => void): readonly Column<Code>[] {
  return [
    column("code", t("codes.code"), ({ last_four }) => (
      <span className="font-mono text-[13px]">…{last_four}</span>
    )),
    {
      id: "state",
      header: t("words.status"),
      sort: ({ state }) => t(`codes.state_${state}`),
      cell: ({ state }) => <Badge tone={TONES[state]}>{t(`codes.state_${state}`)}</Badge>,
    },
    column("by", t("codes.redeemedBy"), (code) => <RedeemedBy code={code} />),
    {
      id: "actions",
      header: t("words.actions"),
      align: "right",
      cell: (code) =>
        code.state === "unused" && (
          <IconButton
            label={t("codes.revokeOf", { code: code.last_four })}
            onClick={() => revoke(code)}
          >
            <Ban size={15} />
          </IconButton>
        ),
    },
  ];
}

function RedeemedBy({ code }: { readonly code: Code }) {
  const { t } = useSpeech();
  const { redeemed_by: by, redeemed_at, revoked_at } = code;
  if (!by) {
    return (
      <span className="text-muted">
        {revoked_at ? <Time at={revoked_at} /> : t("codes.nobody")}
      </span>
    );
  }
  return (
    <span className="block min-w-0">
      <TextLink to="/operator/accounts" search={{ q: by.account_name ?? by.account_id }}>
        {by.account_name ?? by.account_id}
      </TextLink>
      <span className="block text-xs break-all text-muted">
        {by.person && `${by.person} · `}
        {redeemed_at && <Time at={redeemed_at} />}
      </span>
    </span>
  );
}

interface RevokeQuestionProps {
  readonly batch: CodeBatch;
  readonly unused: number;
  readonly wanted: Wanted | undefined;
  readonly onClose: () => void;
}

function RevokeQuestion({ batch, unused, wanted, onClose }: RevokeQuestionProps) {
  const { t } = useSpeech();
  const revoke = useAction(
    (what: Wanted) =>
      api.post<RevokedBatch>(
        `${BATCHES}/${batch.id}/revoke`,
        what === "all" ? {} : { code: what.id },
      ),
    {
      refresh: [BATCHES],
      onDone: onClose,
      done: ({ revoked_now: count }) => t("codes.revokedDone", { count }),
    },
  );
  const isAll = wanted === "all";
  return (
    <Confirm
      open={wanted !== undefined}
      title={
        isAll
          ? t("codes.revokeAllTitle", { count: unused })
          : t("codes.revokeTitle", { code: wanted?.last_four ?? "" })
      }
      action={t("codes.revoke")}
      busy={revoke.busy}
      onConfirm={() => wanted && revoke.run(wanted)}
      onClose={onClose}
    >
      {t(isAll ? "codes.revokeAllHint" : "codes.revokeHint")}
    </Confirm>
  );
}
