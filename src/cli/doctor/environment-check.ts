import { dependencies } from "../../../package.json" with { type: "json" };
import { type Config, readConfig } from "../../config/config.ts";
import type { Environment } from "../draft/draft-server.ts";
import { type Finding, found } from "./finding.ts";

const CHECK = "environment";
/** Bun's own limit of calls at once, where nobody sets another. */
const CALLS_USUAL = 256;

/** Read by others than the settings: by commands, and from whoever launches them. */
const ELSEWHERE = [
  "FAREGATE_LANG",
  "FAREGATE_STATE",
  "FAREGATE_URL",
  "FAREGATE_API_KEY",
  "FAREGATE_APPSECRET",
  "FAREGATE_LAUNCHER_FD",
  // Our documents use these names in examples for clients.
  "FAREGATE_KEY",
  "FAREGATE_TOKEN",
  "FAREGATE_WEBHOOK_SECRET",
];
/** Of which there may be any number. */
const PATTERNS = [
  /^FAREGATE_OIDC_[A-Z0-9]+_(?:ISSUER|CLIENT_ID|CLIENT_SECRET|LABEL)$/,
  /^FAREGATE_TEST_/,
];

/** Every name that is looked at when the settings are read: there is no other list of them. */
function knownSettings(): ReadonlySet<string> {
  const names = new Set(ELSEWHERE);
  const listening = new Proxy<Environment>(
    {},
    {
      get(_, name) {
        names.add(String(name));
        return undefined;
      },
    },
  );
  readConfig(listening);
  return names;
}

/** How many letters have to be changed, left out or put in to make one of the other. */
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

function meantBy(setting: string, known: ReadonlySet<string>): string | undefined {
  const near = [...known]
    .filter((name) => name.startsWith("FAREGATE_"))
    .map((name) => ({ name, slips: distance(setting, name) }))
    .filter(({ slips }) => slips <= SLIPS_MAX);
  return near.toSorted((a, b) => a.slips - b.slips)[0]?.name;
}

function unknownSettings(env: Environment, gone: Config["gone"]): Finding[] {
  const known = knownSettings();
  const unknown = Object.keys(env).filter(
    (name) =>
      name.startsWith("FAREGATE_") &&
      !known.has(name) &&
      !(name in gone) &&
      !PATTERNS.some((pattern) => pattern.test(name)),
  );
  return unknown.map((setting) => {
    const meant = meantBy(setting, known);
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
