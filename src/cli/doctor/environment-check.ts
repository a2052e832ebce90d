import { dependencies } from "../../../package.json" with { type: "json" };
import type { Config } from "../../config/config.ts";
import { SETTING_NAMES } from "../../config/settings.ts";
import type { Environment } from "../draft/draft-server.ts";
import { type Finding, found } from "./finding.ts";

const CHECK = "environment";
/** Bun's default limit of calls at once. */
const CALLS_USUAL = 256;

/** Variables that are not settings: the launcher and the examples of our documents use them. */
const OTHERS = [
  "FAREGATE_LAUNCHER_FD",
  "FAREGATE_KEY",
  "FAREGATE_TOKEN",
  "FAREGATE_WEBHOOK_SECRET",
];
const KNOWN: ReadonlySet<string> = new Set([...SETTING_NAMES, ...OTHERS]);
const PATTERNS = [
  /^FAREGATE_OIDC_[A-Z0-9]+_(?:ISSUER|CLIENT_ID|CLIENT_SECRET|LABEL)$/,
  /^FAREGATE_TEST_/,
];

/** How many letters to change, remove or add to turn one word into the other. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, i) => i);
  for (let i = 0; i < one.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < other.length; j++) {
      const kept = (row[j] ?? 0) + (one[i] === other[j] ? 0 : 1);
      next.push(Math.min(kept, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}

const SLIPS_MAX = 3;

function meantBy(setting: string): string | undefined {
  const near = [...KNOWN]
    .filter((name) => name.startsWith("FAREGATE_"))
    .map((name) => ({ name, slips: distance(setting, name) }))
    .filter(({ slips }) => slips <= SLIPS_MAX);
  return near.toSorted((a, b) => a.slips - b.slips)[0]?.name;
}

function unknownSettings(env: Environment, gone: Config["gone"]): Finding[] {
  const unknown = Object.keys(env).filter(
    (name) =>
      name.startsWith("FAREGATE_") &&
      !KNOWN.has(name) &&
      !(name in gone) &&
      !PATTERNS.some((pattern) => pattern.test(name)),
  );
  return unknown.map((setting) => {
    const meant = meantBy(setting);
    return meant === undefined
      ? found(CHECK, "warning", "settingUnknown", { setting })
      : found(CHECK, "warning", "settingMisspelt", { setting, meant });
  });
}

function runtime(version: string): Finding {
  const { bun: expected } = dependencies;
  return version === expected
    ? found(CHECK, "ok", "runtime", { version })
    : found(CHECK, "warning", "runtimeOther", { version, expected });
}

function calls(env: Environment): Finding[] {
  const count = Number(env.BUN_CONFIG_MAX_HTTP_REQUESTS ?? Number.POSITIVE_INFINITY);
  return count > CALLS_USUAL ? [] : [found(CHECK, "warning", "callsFew", { count })];
}

/** What no server can start with. */
export function unreadable(thrown: Error): Finding {
  return found(CHECK, "problem", "settingsWrong", { reason: thrown.message });
}

/** The runtime and what was set for it. The settings are undefined where they cannot be read. */
export function environmentCheck(
  env: Environment,
  config: Config | undefined,
  version = Bun.version,
): Finding[] {
  const gone = Object.entries(config?.gone ?? {});
  return [
    runtime(version),
    ...(config ? [found(CHECK, "ok", "settings")] : []),
    ...unknownSettings(env, config?.gone ?? {}),
    ...gone.map(([setting, instead]) =>
      found(CHECK, "warning", "settingGone", { setting, instead }),
    ),
    ...calls(env),
    ...(config?.tlsUnverified ? [found(CHECK, "problem", "tlsUnverified")] : []),
  ];
}
