import { Fault } from "../../lib/faults.ts";
import { listBody, readPage } from "../../lib/listing.ts";
import type { Route } from "../../lib/route.ts";
import type { AuditFilter, AuditRecord } from "../audit.ts";
import type { Guards } from "../guards.ts";
import type { PersonName } from "../people/person.ts";
import type { PeopleServices } from "../services.ts";

/** No id, address or name of ours is longer. */
const TEXT_CHARS_MAX = 300;

interface Names {
  readonly things: ReadonlyMap<string, string>;
  readonly people: ReadonlyMap<string, PersonName>;
}

function textOf(parameters: URLSearchParams, name: string): string | undefined {
  const text = parameters.get(name) || undefined;
  if (text === undefined || text.length <= TEXT_CHARS_MAX) return text;
  throw new Fault("invalid_value", `'${name}' is longer than ${TEXT_CHARS_MAX} characters.`, {
    param: name,
  });
}

function momentOf(parameters: URLSearchParams, name: string): number | undefined {
  const text = textOf(parameters, name);
  if (text === undefined) return undefined;
  const atMs = Date.parse(text);
  if (/^\d{4}-\d{2}-\d{2}T/.test(text) && Number.isFinite(atMs)) return atMs;
  throw new Fault("invalid_value", `Write '${name}' as 2027-01-31T12:00:00Z.`, { param: name });
}

function filterOf({ searchParams: parameters }: URL): AuditFilter {
  return {
    accountId: textOf(parameters, "account"),
    actor: textOf(parameters, "actor"),
    action: textOf(parameters, "action"),
    target: textOf(parameters, "target"),
    fromMs: momentOf(parameters, "from"),
    toMs: momentOf(parameters, "to"),
  };
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

function show(record: AuditRecord, names: Names) {
  const { userId, accountId } = record;
  return {
    id: record.id,
    created_at: new Date(record.createdAtMs).toISOString(),
    user_id: userId,
    actor: record.actor,
    actor_name: (userId && names.people.get(userId)?.name) || null,
    account_id: accountId,
    account_name: (accountId && names.things.get(accountId)) || null,
    action: record.action,
    target: record.target,
    target_name: targetName(record, names),
    detail: record.detail,
    changes: record.changes,
  };
}

/** Who changed what, for whoever runs the installation. */
export function auditRoutes(services: PeopleServices, guards: Guards): readonly Route[] {
  return [
    guards.operator("GET", "/api/operator/audit", async ({ incoming }) => {
      const page = readPage(incoming.url);
      const records = await services.audit.list(page, filterOf(incoming.url));
      const names = await namesIn(services, records);
      return Response.json(
        listBody(
          records,
          page.limit,
          ({ id }) => id,
          (record) => show(record, names),
        ),
      );
    }),
  ];
}
