// Many clients, vendors and a storage that do whatever seeded dice say, in virtual time, against the
// real pipeline. Each request is checked when it ends, by a rule of charging that is written twice.
// FAREGATE_SIM_SEED=<n> runs one seed again.
import { describe, expect, test } from "bun:test";
import { count, isFull } from "../support/counts.ts";
import type { CheckName } from "./checks.ts";
import { WIRE_NAMES } from "./frames.ts";
import type { PlantedBug } from "./planted.ts";
import { VENDOR_FAULTS } from "./scripts.ts";
import type { Report } from "./simulation.ts";
import { simulate, simulateOnSqlite } from "./testbeds.ts";

const TIMEOUT_MS = isFull ? 1_200_000 : 120_000;
const REQUESTS = 250;
const SQLITE_REQUESTS = count(120, 600);
const FIRST_SEED = 20_261_115;
/** One in which a hard key comes to the end of its money, and soon. */
const BUG_SEED = FIRST_SEED + 1;
const BUG_REQUESTS = count(60, REQUESTS);
/** One in which money ends and the settlement's reply is lost with storage: the receipt stands, the client is told less. */
const UNTOLD_SEED = FIRST_SEED + 47;
const SEEDS = [
  ...new Set([...Array.from({ length: count(2, 80) }, (_, i) => FIRST_SEED + i), UNTOLD_SEED]),
];

const told = process.env.FAREGATE_SIM_SEED;
/** Long runs look further each time; whoever changed a line must not fail by what nobody has seen before. */
const anySeed = crypto.getRandomValues(new Uint32Array(1))[0] as number;
const usual = isFull ? [...SEEDS, anySeed] : SEEDS;
const seeds = told === undefined ? usual : [Number(told)];

const reports = new Map<number, Promise<Report>>();

/** The run of a seed, which is made once for all that is asked of it. */
function runOf(seed: number): Promise<Report> {
  const run = reports.get(seed) ?? simulate(seed, REQUESTS);
  reports.set(seed, run);
  return run;
}

/** Everything that was wrong, with the seed that shows it again. */
function failureOf({ seed, violations }: Report): string {
  const lines = violations.map(
    ({ check, requestId, message }) => `${check}${requestId ? ` (${requestId})` : ""}: ${message}`,
  );
  return [`FAREGATE_SIM_SEED=${seed}, seed ${seed}:`, ...lines].join("\n  ");
}

function expectSound(report: Report): void {
  if (report.violations.length > 0) throw new Error(failureOf(report));
}

/** What two runs of one seed must have in common. Ids of answers are made by real chance. */
function tale({ receipts }: Report): string[] {
  return receipts.map(({ responseId: _, ...receipt }) =>
    JSON.stringify(receipt, (_name, value) => (typeof value === "bigint" ? `${value}` : value)),
  );
}

const ENDS = [
  "completed",
  "completed_estimated",
  "client_closed",
  "client_closed_finished",
  "upstream_failed_with_usage",
  "upstream_failed",
  "gateway_failed",
  "refused",
  "budget_ended",
  "budget_busy",
  "budget_exceeded",
  "rate_limit_exceeded",
];
const PAIRS = WIRE_NAMES.flatMap((client) =>
  WIRE_NAMES.flatMap((vendor) => [`${client} to ${vendor}`, `${client} to ${vendor}, streamed`]),
);

describe("in virtual time", () => {
  test(
    "every request ends right, whatever vendors, clients and storage do",
    async () => {
      console.info(`simulating seeds ${seeds[0]} … ${seeds.at(-1)}`);
      const seen = new Set<string>();
      for (const seed of seeds) {
        const report = await runOf(seed);
        expectSound(report);
        for (const each of report.seen) seen.add(each);
      }
      // A simulation in which nothing happens shows nothing.
      const wanted = [...ENDS, ...PAIRS, ...VENDOR_FAULTS];
      if (told === undefined) expect(wanted.filter((each) => !seen.has(each))).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test(
    "one seed gives one run, to the last receipt",
    async () => {
      const [first, second, other] = [
        await runOf(FIRST_SEED),
        await simulate(FIRST_SEED, REQUESTS),
        await runOf(FIRST_SEED + 1),
      ];
      expect(tale(second)).toEqual(tale(first));
      expect(tale(other)).not.toEqual(tale(first));
    },
    TIMEOUT_MS,
  );

  test(
    "the same holds on a real database",
    async () => {
      const report = await simulateOnSqlite(FIRST_SEED, SQLITE_REQUESTS);
      expectSound(report);
      expect(report.receipts.length).toBeGreaterThan(SQLITE_REQUESTS / 2);
    },
    TIMEOUT_MS,
  );
});

describe("a planted bug is found", () => {
  const bugs: [PlantedBug, CheckName][] = [
    ["skipped void", "no open hold"],
    ["double post", "one receipt"],
    ["lost usage", "charge by the rule"],
    ["false input", "input within its bound"],
    ["hard as soft", "limits hold"],
  ];

  test.each(bugs)(
    "%s, by the check: %s",
    async (bug, check) => {
      const report = await simulate(BUG_SEED, BUG_REQUESTS, bug);
      expect(report.violations.map((violation) => violation.check)).toContain(check);
      expect(failureOf(report)).toContain(`seed ${BUG_SEED}`);
    },
    TIMEOUT_MS,
  );
});
