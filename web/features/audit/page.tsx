import { ScrollText, X } from "lucide-react";
import { useMemo, useState } from "react";
import { SEARCH_TARGET } from "../../app/shortcuts.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { useFilters } from "../../lib/filters.ts";
import { lazyPart } from "../../lib/lazy-part.tsx";
import { useRows } from "../../lib/queries.ts";
import { timeValue } from "../../lib/sorting.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Input } from "../../ui/field.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { type Column, DataTable } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { actionWords } from "./action-words.ts";
import type { AuditRecord } from "./contract.ts";

const RecordDrawer = lazyPart(async () => (await import("./record-drawer.tsx")).RecordDrawer);

export function AuditPage() {
  const { t } = useSpeech();
  const { values, set } = useFilters(["account"]);
  const rows = useRows<AuditRecord>("/api/operator/audit", { account: values.account });
  const [shown, setShown] = useState<AuditRecord>();
  const columns = useColumns();
  return (
    <>
      <PageHeader title={t("audit.title")} description={t("audit.description")} />
      <AccountFilter
        key={values.account ?? ""}
        value={values.account ?? ""}
        onChange={(account) => set({ account: account || undefined })}
      />
      <Card flush>
        <DataTable
          label={t("audit.table")}
          columns={columns}
          rows={rows}
          rowId={(record) => record.id}
          onOpen={setShown}
          empty={<Empty filtered={values.account !== undefined} />}
        />
      </Card>
      {shown && <RecordDrawer record={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}

interface AccountFilterProps {
  readonly value: string;
  readonly onChange: (account: string) => void;
}

/** Asked for when it is whole: an id is found exactly or not at all. */
function AccountFilter({ value, onChange }: AccountFilterProps) {
  const { t } = useSpeech();
  const [typed, setTyped] = useState(value);
  return (
    <form
      className="mb-4 flex max-w-md gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        onChange(typed.trim());
      }}
    >
      <Input
        {...SEARCH_TARGET}
        mono
        maxLength={100}
        aria-label={t("audit.accountFilter")}
        placeholder={t("audit.accountFilter")}
        value={typed}
        onValueChange={setTyped}
      />
      <Button type="submit">{t("words.search")}</Button>
      {value !== "" && (
        <Button kind="quiet" onClick={() => onChange("")}>
          <X size={15} />
          {t("words.clearFilters")}
        </Button>
      )}
    </form>
  );
}

function Empty({ filtered }: { readonly filtered: boolean }) {
  const { t } = useSpeech();
  return (
    <EmptyState
      icon={<ScrollText size={28} />}
      title={t(filtered ? "audit.noMatch" : "audit.emptyTitle")}
    >
      {t(filtered ? "audit.noMatchHint" : "audit.emptyHint")}
    </EmptyState>
  );
}

/** An address breaks at its sign before it breaks anywhere else. */
function Actor({ name }: { readonly name: string }) {
  const at = name.indexOf("@");
  return (
    <span className="wrap-anywhere">
      {name.slice(0, Math.max(at, 0))}
      <wbr />
      {name.slice(Math.max(at, 0))}
    </span>
  );
}

function useColumns(): readonly Column<AuditRecord>[] {
  const { t } = useSpeech();
  return useMemo(
    () => [
      {
        id: "what",
        header: t("audit.what"),
        sort: ({ action }) => action,
        cell: ({ action }) => (
          <>
            <span className="font-medium">{actionWords(action, t)}</span>
            <span className="block font-mono text-xs text-muted">{action}</span>
          </>
        ),
      },
      {
        id: "who",
        header: t("audit.who"),
        sort: ({ actor }) => actor,
        cell: ({ actor }) => <Actor name={actor} />,
      },
      {
        id: "target",
        header: t("audit.target"),
        wide: true,
        cell: ({ target }) => <span className="font-mono text-[13px] break-all">{target}</span>,
      },
      {
        id: "account",
        header: t("audit.account"),
        wide: true,
        cell: ({ account_id }) =>
          account_id === null ? (
            <span className="text-muted">{t("audit.installation")}</span>
          ) : (
            <span className="font-mono text-[13px] break-all">{account_id}</span>
          ),
      },
      {
        id: "when",
        header: t("audit.when"),
        sort: ({ created_at }) => timeValue(created_at),
        align: "right",
        cell: ({ created_at }) => <Time at={created_at} />,
      },
    ],
    [t],
  );
}
