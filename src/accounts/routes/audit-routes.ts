import { listBody } from "../../lib/listing.ts";
import type { Route } from "../../lib/route.ts";
import type { AuditRecord } from "../audit.ts";
import { LIST_AUDIT, type AuditRecord as ShownRecord } from "../contract/audit.ts";
import type { CallOf, Guards } from "../guards.ts";
import type { PersonName } from "../people/person.ts";
import type { PeopleServices } from "../services.ts";
import { shown } from "../shown.ts";

interface Names {
  readonly things: ReadonlyMap<string, string>;
  readonly people: ReadonlyMap<string, PersonName>;
}

/** What everything in some records is called now, in two questions however many they are. */
async function namesIn(
  { memberships, namesOf }: PeopleServices,
  records: readonly AuditRecord[],
): Promise<Names> {
  const targets = records.map(({ target }) => target);
  const of = (ids: readonly (string | null)[]) => [...new Set(ids.filter((id) => id !== null))];
  const [things, people] = await Promise.all([
    namesOf(of([...targets, ...records.map(({ accountId }) => accountId)])),
    memberships.namesOf(of([...targets, ...records.map(({ userId }) => userId)])),
  ]);
  return { things, people };
}

/** As it is called now, or as it was when the record was written, for what is not there any more. */
function targetName({ target, detail }: AuditRecord, { things, people }: Names): string | null {
  const now = things.get(target) ?? people.get(target)?.email;
  const then = [detail.name, detail.email].find((text) => typeof text === "string");
  return now ?? (then as string | undefined) ?? null;
}

function recordToJson(record: AuditRecord, names: Names): ShownRecord {
  const { userId, accountId } = record;
  return {
    ...shown(record, "id", "createdAtMs", "userId", "actor", "accountId", "action", "target"),
    ...shown(record, "detail", "changes"),
    actor_name: (userId && names.people.get(userId)?.name) || null,
    account_name: (accountId && names.things.get(accountId)) || null,
    target_name: targetName(record, names),
  };
}

async function listAudit(services: PeopleServices, call: CallOf<typeof LIST_AUDIT>) {
  const { after, limit, account, from, to, ...rest } = call.query();
  const filter = { ...rest, accountId: account, fromMs: from, toMs: to };
  const records = await services.audit.list({ after, limit }, filter);
  const names = await namesIn(services, records);
  const show = (record: AuditRecord) => recordToJson(record, names);
  return listBody(records, limit, ({ id }) => id, show);
}

/** Who changed what, for whoever runs the installation. */
export function auditRoutes(services: PeopleServices, guards: Guards): readonly Route[] {
  return [guards.operator(LIST_AUDIT, (call) => listAudit(services, call))];
}
