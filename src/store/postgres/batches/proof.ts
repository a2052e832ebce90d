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
  scopes: {
    from: (these) => `scopes where id ${these}`,
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

export type SeenPart = keyof typeof SEEN;

/**
 * What was foreseen, and of which parts: a parameter for each, behind the time, how far that may be from it, and who sends
 * it in which epoch.
 */
export interface Proof {
  readonly parts: readonly SeenPart[];
  readonly params: readonly string[];
}

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
  const parts = (Object.keys(foreseen) as SeenPart[]).filter(
    (part) => foreseen[part].of.length > 0,
  );
  const shown = parts.map((part) => JSON.stringify(foreseen[part]));
  return { parts, params: [`${facts.nowMs}`, `${foreseenMs}`, owner, `${epoch}`, ...shown] };
}

function isAsForeseen(part: SeenPart, param: number): string {
  const { from, name, cells } = SEEN[part];
  const asked = `($${param}::text)::jsonb`;
  const these = `= any (array(select jsonb_array_elements_text(${asked}->'of')))`;
  return `coalesce((select jsonb_object_agg(${name}, jsonb_build_array(${cells.join(", ")}))
    from ${from(these, asked)}), '{}') = ${asked}->'are'`;
}

/** Whether all is as it was foreseen, in words of SQL, by the parameters of a proof from `first` on. */
export function proofSql(parts: readonly SeenPart[], nowMs: string, first: number): string {
  const [atMs, foreseenMs, owner, epoch] = [0, 1, 2, 3].map((i) => `$${first + i}::text`);
  return [
    `abs(${nowMs} - (${atMs})::bigint) <= (${foreseenMs})::bigint`,
    `(select epoch from owners where id = ${owner}) = (${epoch})::bigint`,
    ...parts.map((part, i) => isAsForeseen(part, first + 4 + i)),
  ].join("\n and ");
}
