import { NOW_MS_SQL } from "../connections.ts";
import { type Facts, secondsAfter } from "./facts.ts";

/** Rows that a decision went by: where they lie, what each is called, and what it holds. */
interface Seen {
  /** `asked` is what was foreseen, with the list of those that are asked for; `these` is to be one of them. */
  readonly from: (these: string, asked: string) => string;
  readonly name: string;
  readonly cells: readonly string[];
}

/** Amounts and times are texts, since JSON numbers end at 53 bits. */
const SEEN = {
  /** What is seen of them is what is there once they are locked, in the order in which all lock them. */
  scopes: {
    from: (these) => `(select id, kind, max, used, held, running from scopes
        where id ${these} order by id for update) locked`,
    name: "id",
    cells: ["kind", "max::text", "used::text", "held::text", "running::text"],
  },
  budgets: {
    from: (these) => `budgets where key_id ${these}`,
    name: "key_id || ' ' || id",
    cells: [
      "period",
      "time_zone",
      "max::text",
      "base::text",
      "window_start::text",
      "resets_at::text",
    ],
  },
  holds: {
    from: (these) => `holds where id ${these}`,
    name: "id",
    cells: ["account_id", "key_id", "amount::text"],
  },
  seconds: {
    from: (these, asked) =>
      `rate_seconds where key_id ${these} and second > (${asked}->>'after')::bigint`,
    name: "key_id || ' ' || second",
    cells: ["requests::text", "tokens::text"],
  },
  open_holds: {
    from: (these) =>
      `(select key_id, count(*) as open from holds where key_id ${these} group by key_id) counted`,
    name: "key_id",
    cells: ["open::text"],
  },
} as const satisfies Record<string, Seen>;

type SeenPart = keyof typeof SEEN;
const SEEN_PARTS = Object.keys(SEEN) as SeenPart[];

/** When it was foreseen, how far from that it may be, who sends it in which epoch, and what each part was. */
export const PROOF_PARAMS = ["at_ms", "foreseen_ms", "sender", "epoch", ...SEEN_PARTS] as const;

/** What was foreseen, by the names of these parameters; parts of which nothing was are missing. */
export type Proof = Readonly<Partial<Record<(typeof PROOF_PARAMS)[number], string>>>;

type Cells = readonly (string | null)[];

/** Rows by their names, so that no order of texts matters. */
type Foreseen = Record<string, Cells>;

/** What is asked for, what that is, and for seconds those that are too old to matter. */
interface ForeseenPart {
  readonly of: readonly string[];
  readonly are: Foreseen;
  readonly after?: number;
}

function text(value: bigint | number | null): string | null {
  return value === null ? null : `${value}`;
}

function scopesOf({ scopes }: Facts): Foreseen {
  const are: Foreseen = {};
  for (const { id, kind, max, used, held, running } of scopes.values()) {
    are[id] = [kind, text(max), text(used), text(held), text(running)];
  }
  return are;
}

function budgetsOf({ budgets }: Facts): Foreseen {
  const are: Foreseen = {};
  for (const [keyId, rows] of budgets) {
    for (const { id, period, timeZone, max, base, windowStartMs, resetsAtMs } of rows) {
      const sums = [text(max), text(base)];
      are[`${keyId} ${id}`] = [period, timeZone, ...sums, text(windowStartMs), text(resetsAtMs)];
    }
  }
  return are;
}

function holdsOf({ holds }: Facts): Foreseen {
  const are: Foreseen = {};
  for (const { id, account_id, key_id, amount } of holds.values()) {
    are[id] = [account_id, key_id, text(amount)];
  }
  return are;
}

function secondsOf({ seconds }: Facts): Foreseen {
  const are: Foreseen = {};
  for (const [keyId, rows] of seconds) {
    for (const { second, requests, tokens } of rows) {
      are[`${keyId} ${second}`] = [text(requests), text(tokens)];
    }
  }
  return are;
}

function openHoldsOf({ openHolds }: Facts): Foreseen {
  const are: Foreseen = {};
  for (const [keyId, open] of openHolds) if (open > 0) are[keyId] = [text(open)];
  return are;
}

/** A process, and how often it has lost what it had sent. */
interface Sender {
  readonly owner: string;
  readonly epoch: bigint;
}

/** What a batch is going to decide by. To be made before it does, since its facts follow what it writes. */
export function proofOf(facts: Facts, { owner, epoch }: Sender, foreseenMs: number): Proof {
  const after = secondsAfter(facts.nowMs);
  const foreseen: Record<SeenPart, ForeseenPart> = {
    scopes: { of: [...facts.scopes.keys()], are: scopesOf(facts) },
    budgets: { of: [...facts.budgets.keys()], are: budgetsOf(facts) },
    holds: { of: [...facts.holds.keys()], are: holdsOf(facts) },
    seconds: { of: [...facts.seconds.keys()], are: secondsOf(facts), after },
    open_holds: { of: [...facts.openHolds.keys()], are: openHoldsOf(facts) },
  };
  const told = { at_ms: `${facts.nowMs}`, foreseen_ms: `${foreseenMs}` };
  const parts = SEEN_PARTS.filter((part) => foreseen[part].of.length > 0);
  const seen = parts.map((part) => [part, JSON.stringify(foreseen[part])] as const);
  return { ...told, sender: owner, epoch: `${epoch}`, ...Object.fromEntries(seen) };
}

function isAsForeseen(part: SeenPart, param: string): string {
  const { from, name, cells } = SEEN[part];
  const asked = `(${param}::text)::jsonb`;
  const these = `= any (array(select jsonb_array_elements_text(${asked}->'of')))`;
  return `coalesce((select jsonb_object_agg(${name},
        jsonb_build_array(${cells.join(", ")})) from ${from(these, asked)}), '{}') = ${asked}->'are'`;
}

/** A statement that fails unless it is so. */
function provedSql(what: string, condition: string): string {
  return `if (${condition}) is not true then
        raise exception 'a batch has found other rows than it knew, and asks: %', '${what}';
      end if;`;
}

/**
 * Whether all is as it was foreseen, as statements of PL/pgSQL that fail where it is not, and lock the scopes first. `param`
 * gives a parameter by its name.
 */
export function provingSql(param: (name: (typeof PROOF_PARAMS)[number]) => string): string {
  const inTime = `abs(${NOW_MS_SQL} - ${param("at_ms")}::bigint) <= ${param("foreseen_ms")}::bigint`;
  const epoch = `(select epoch from owners where id = ${param("sender")})`;
  // Asked for apart, since to set a condition up costs more than to see that there is none.
  const parts = SEEN_PARTS.map(
    (part) => `if ${param(part)} is not null then
      ${provedSql(part, isAsForeseen(part, param(part)))}
      end if;`,
  );
  return [
    ...parts,
    provedSql("time", inTime),
    provedSql("epoch", `${epoch} = ${param("epoch")}::bigint`),
  ].join("\n      ");
}
