import type { ReactNode } from "react";
import { useSpeech } from "../../i18n/language.tsx";
import { Code, CodeBlock } from "../../ui/code.tsx";
import { Drawer } from "../../ui/dialog.tsx";
import { Time } from "../../ui/time.tsx";
import { actionWords } from "./action-words.ts";
import type { AuditRecord } from "./contract.ts";

interface RecordDrawerProps {
  readonly record: AuditRecord;
  readonly onClose: () => void;
}

export function RecordDrawer({ record, onClose }: RecordDrawerProps) {
  const { t } = useSpeech();
  return (
    <Drawer
      open
      onClose={onClose}
      title={actionWords(record.action, t)}
      description={<Time at={record.created_at} as="exact" />}
    >
      <Facts record={record} />
    </Drawer>
  );
}

function Facts({ record }: { readonly record: AuditRecord }) {
  const { t } = useSpeech();
  const facts: readonly (readonly [string, ReactNode])[] = [
    [t("audit.who"), record.actor],
    [
      t("audit.user"),
      record.user_id ? <Code key="user">{record.user_id}</Code> : t("audit.byToken"),
    ],
    [
      t("audit.what"),
      <code key="action" className="font-mono text-[13px]">
        {record.action}
      </code>,
    ],
    [t("audit.target"), <Code key="target">{record.target}</Code>],
    [
      t("audit.account"),
      record.account_id ? <Code key="account">{record.account_id}</Code> : t("audit.installation"),
    ],
  ];
  const told = Object.keys(record.detail).length > 0;
  return (
    <div className="flex flex-col gap-5 text-sm">
      <dl className="grid grid-cols-[max-content_minmax(0,1fr)] items-center gap-x-6 gap-y-2">
        {facts.map(([label, value]) => (
          <div key={label} className="contents">
            <dt className="text-[13px] text-muted">{label}</dt>
            <dd className="min-w-0 break-words">{value}</dd>
          </div>
        ))}
      </dl>
      <section>
        <h3 className="mb-2 text-[13px] font-medium">{t("audit.detail")}</h3>
        {told ? (
          <CodeBlock label={t("audit.detail")}>{JSON.stringify(record.detail, null, 2)}</CodeBlock>
        ) : (
          <p className="text-muted">{t("audit.noDetail")}</p>
        )}
      </section>
    </div>
  );
}
