import { examineVendors } from "../../compose/vendor-examination.ts";
import { type Config, ConfigError, readConfig } from "../../config/config.ts";
import type { Store } from "../../store/store.ts";
import { createLog } from "../../telemetry/log.ts";
import { LIVE_OUTPUT_TOKENS, type LivePlan } from "../../upstream/live/live-check.ts";
import type { Environment } from "../draft/draft-server.ts";
import { type Options, readOptions } from "../terminal/arguments.ts";
import { padded, print } from "../terminal/print.ts";
import { spokenLanguage, WORDS } from "../words/language.ts";
import { fill } from "../words/messages.ts";
import { steadyCheck } from "./clock-check.ts";
import { booksCheck, databaseClock, openDatabase, tablesCheck } from "./database-check.ts";
import { diskCheck } from "./disk-check.ts";
import { environmentCheck, unreadable } from "./environment-check.ts";
import { type Check, type Finding, findingJson, findingWords, found } from "./finding.ts";
import { portCheck } from "./port-check.ts";
import { secretCheck } from "./secret-check.ts";
import { vendorCheck } from "./vendor-check.ts";

const PROBLEM_EXIT = 1;
/** What it says is said by its findings. */
const QUIET = createLog("error", () => {});

/** A check that breaks is a finding, and keeps nobody from the others. */
async function looked(
  check: Check,
  look: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await look();
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    return [found(check, "problem", "checkFailed", { reason })];
  }
}

/** What is known of a database that could be opened. */
async function examineStore(config: Config, store: Store): Promise<readonly Finding[]> {
  let serving: Awaited<ReturnType<typeof tablesCheck>> | undefined;
  const tables = await looked("database", async () => {
    serving = await tablesCheck(store);
    return serving.findings;
  });
  return [
    ...tables,
    ...(await looked("database", () => secretCheck(store, config))),
    ...(await looked("clock", () => databaseClock(store, config))),
    ...(await looked("port", async () => [portCheck(config, serving?.origin)])),
    ...(await looked("holds", () => booksCheck(store, serving?.isServed ?? false))),
  ];
}

async function examine(
  config: Config,
  onPlan?: (plan: LivePlan) => void,
): Promise<readonly Finding[]> {
  // Takes a moment, in which the others are at work.
  const steady = looked("clock", async () => [await steadyCheck()]);
  const { findings, store } = await openDatabase(config);
  try {
    return [
      ...findings,
      ...(store
        ? await examineStore(config, store)
        : await looked("port", async () => [portCheck(config, undefined)])),
      ...(await looked("disk", async () => diskCheck(config.dataDir))),
      ...(await steady),
      ...(await looked("vendors", async () =>
        vendorCheck(await examineVendors(config, store, QUIET, onPlan)),
      )),
    ];
  } finally {
    await store?.close();
  }
}

/** In the order in which they are told. */
const ORDER: readonly Check[] = [
  ...(["environment", "database", "disk", "clock", "port"] as const),
  ...(["vendors", "live", "prices", "holds", "sums"] as const),
];

export function lines(findings: readonly Finding[]): string[] {
  const told = findings.map(findingWords);
  const width = (of: "state" | "check") =>
    Math.max(...told.map((each) => Bun.stringWidth(each[of])));
  const [states, checks] = [width("state"), width("check")];
  return told.flatMap(({ state, check, message, fix }) => {
    const line = `${padded(state, states)}  ${padded(check, checks)}  ${message}`;
    return fix === undefined ? [line] : [line, `${" ".repeat(states + checks + 4)}→ ${fix}`];
  });
}

function tell(options: Options, found: readonly Finding[]): number {
  const findings = found.toSorted((a, b) => ORDER.indexOf(a.check) - ORDER.indexOf(b.check));
  const count = (state: Finding["state"]) =>
    findings.filter((finding) => finding.state === state).length;
  const [problems, warnings] = [count("problem"), count("warning")];
  const ok = problems === 0;
  print(options, { ok, problems, warnings, findings: findings.map(findingJson) }, () => {
    const words = WORDS[spokenLanguage()].doctor;
    const sum = ok && warnings === 0 ? words.sum_good : fill(words.sum_bad, { problems, warnings });
    return [...lines(findings), "", sum].join("\n");
  });
  return ok ? 0 : PROBLEM_EXIT;
}

/** Says on standard error what calls cost money, before they are made. */
function tellPlan({ calls, channels }: LivePlan): void {
  if (calls === 0) return;
  const words = WORDS[spokenLanguage()].doctor.sum_live;
  const values = { calls, channels: channels.join(", "), tokens: LIVE_OUTPUT_TOKENS };
  process.stderr.write(`${fill(words, values)}\n`);
}

/**
 * Checks everything once, beside a server or without one, and says what to do. `--live` also calls vendors, which bill it.
 * Resolves with 1 if there is a problem.
 */
export async function doctor(env: Environment, argv: readonly string[]): Promise<number> {
  const options = readOptions(argv, ["json?", "live?"]);
  let config: Config;
  try {
    config = readConfig(env, process.cwd());
  } catch (thrown) {
    if (!(thrown instanceof ConfigError)) throw thrown;
    return tell(options, [...environmentCheck(env, undefined), unreadable(thrown)]);
  }
  return tell(options, [
    ...environmentCheck(env, config),
    ...(await examine(config, options.live === true ? tellPlan : undefined)),
  ]);
}
