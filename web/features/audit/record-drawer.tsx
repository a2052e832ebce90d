import type { ReactNode } from "react";
import type { AuditRecord } from "../../../src/accounts/contract/audit.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { TextLink } from "../../lib/link.tsx";
import { Button } from "../../ui/button.tsx";
import { Code, CodeBlock } from "../../ui/code.tsx";
import { Drawer } from "../../ui/dialogs/dialog.tsx";
import { Time } from "../../ui/time.tsx";
import { homeOf } from "../operator-accounts/paths.ts";
import { actionWords } from "./action-words.ts";
import { memberWords, valueWords } from "./change-words.ts";
import type { FilterChange } from "./filter-bar.tsx";

interface RecordDrawerProps {
  readonly record: AuditRecord;
  readonly onFilter: (change: FilterChange) => void;
  readonly onClose: () => void;
}

export function RecordDrawer({ record, onFilter, onClose }: RecordDrawerProps) {
  const { t } = useSpeech();
  const { actor, target } = record;
  const footer = (
    <>
      <Button onClick={() => onFilter({ actor })}>{t("audit.allBy")}</Button>
      <Button onClick={() => onFilter({ target })}>{t("audit.allOf")}</Button>
    </>
  );
  return (
    <Drawer
      onClose={onClose}
      title={actionWords(record.action, t)}
      description={<Time at={record.created_at} as="exact" />}
      footer={footer}
    >
      <div className="flex flex-col gap-5 text-sm">
        <Facts record={record} />
        <ChangeTable record={record} />
        <Detail record={record} />
      </div>
    </Drawer>
  );
}

/** The page of what was changed, where operators have one. */
function pageOf({ account_id, target }: AuditRecord): string | undefined {
  if (target.startsWith("acct_")) return homeOf(target);
  if (account_id === null) return undefined;
  return target.startsWith("key_") ? `${homeOf(account_id)}/keys/${target}` : undefined;
}

function Target({ record }: { readonly record: AuditRecord }) {
  const { target, target_name: name } = record;
  const page = pageOf(record);
  return (
    <>
      {page ? <TextLink to={page}>{name ?? target}</TextLink> : (name ?? null)}
      {(name === null || name !== target) && (
        <span className="block">
          <Code>{target}</Code>
        </span>
      )}
    </>
  );
}

function Facts({ record }: { readonly record: AuditRecord }) {
  const { t } = useSpeech();
  const { actor, actor_name, user_id, account_id, account_name } = record;
  const facts: readonly (readonly [string, ReactNode])[] = [
    [
      t("audit.who"),
      <span key="who" className="break-words">
        {actor_name !== null && actor_name !== actor && <span className="block">{actor_name}</span>}
        {actor}
      </span>,
    ],
    [t("audit.user"), user_id ? <Code key="user">{user_id}</Code> : t("audit.byToken")],
    [
      t("audit.what"),
      <code key="action" className="font-mono text-[13px]">
        {record.action}
      </code>,
    ],
    [t("audit.target"), <Target key="target" record={record} />],
    [
      t("audit.account"),
      account_id ? (
        <TextLink key="account" to={homeOf(account_id)}>
          {account_name ?? account_id}
        </TextLink>
      ) : (
        t("audit.installation")
      ),
    ],
  ];
  return (
    <dl className="grid grid-cols-[max-content_minmax(0,1fr)] items-baseline gap-x-6 gap-y-2">
      {facts.map(([label, value]) => (
        <div key={label} className="contents">
          <dt className="text-[13px] text-muted">{label}</dt>
          <dd className="min-w-0 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function ChangeTable({ record }: { readonly record: AuditRecord }) {
  const speech = useSpeech();
  const { t } = speech;
  const changes = Object.entries(record.changes ?? {});
  if (changes.length === 0) return null;
  return (
    <section>
      <h3 className="mb-2 text-[13px] font-medium">{t("audit.changes")}</h3>
      <table className="w-full border-collapse text-left">
        <thead className="text-[13px] text-muted">
          <tr className="border-b border-line">
            {[t("audit.member"), t("audit.before"), t("audit.after")].map((header) => (
              <th key={header} scope="col" className="py-1.5 pr-3 font-medium">
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {changes.map(([name, { from, to }]) => (
            <tr key={name} className="border-b border-line align-top last:border-0">
              <th scope="row" className="py-2 pr-3 font-medium">
                {memberWords(name, t)}
              </th>
              <td className="py-2 pr-3 break-words text-muted">{valueWords(from, speech, name)}</td>
              <td className="py-2 break-words">{valueWords(to, speech, name)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Detail({ record }: { readonly record: AuditRecord }) {
  const { t } = useSpeech();
  if (Object.keys(record.detail).length === 0) return null;
  return (
    <section>
      <h3 className="mb-2 text-[13px] font-medium">{t("audit.detail")}</h3>
      <CodeBlock label={t("audit.detail")}>{JSON.stringify(record.detail, null, 2)}</CodeBlock>
    </section>
  );
}
