import { expect, test } from "bun:test";
import { type Config, readConfig } from "./config.ts";
import type { Environment } from "./environment.ts";
import { SETTING_AREAS, SETTING_NAMES } from "./settings.ts";

/** Variables of the system, and names for the traces alone of variables that the table has. */
const OTHERS = /^(?:HTTPS?_PROXY|https?_proxy|NO_PROXY|no_proxy|NODE_TLS_REJECT_UNAUTHORIZED)$/;
const FOR_TRACES = /^OTEL_EXPORTER_OTLP_TRACES_/;
/** Settings of earlier versions, which are only looked for to warn of them. */
const GONE = /^FAREGATE_HOLD_(?:HARD_)?OUTPUT_TOKENS_DEFAULT$/;

/** The names that are read when `said` is all that the environment has. */
function namesRead(said: Environment): string[] {
  const names = new Set<string>();
  const env = new Proxy<Environment>(said, {
    get(values, name) {
      names.add(String(name));
      return values[String(name)];
    },
  });
  readConfig(env);
  return [...names];
}

/** A config without its functions, which no two configs share. */
const plain = (config: Config) => JSON.parse(JSON.stringify(config));

test("every setting that is read is in the table", () => {
  const known = new Set(SETTING_NAMES);
  const withTraces = { OTEL_TRACES_EXPORTER: "otlp", OTEL_TRACES_SAMPLER: "traceidratio" };
  const names = [...namesRead({}), ...namesRead(withTraces)];
  expect(names).toContain("FAREGATE_PORT");
  expect(names).toContain("FAREGATE_BODY_BYTES_MAX");
  const allowed = [OTHERS, FOR_TRACES, GONE];
  const isAllowed = (name: string) => allowed.some((pattern) => pattern.test(name));
  expect(names.filter((name) => !known.has(name) && !isAllowed(name))).toEqual([]);
});

test("every default in the table is the one that holds without the setting", () => {
  const { Commands, ...areas } = SETTING_AREAS;
  const base = { OTEL_TRACES_EXPORTER: "otlp" };
  const usual = plain(readConfig(base));
  for (const area of Object.values<Record<string, readonly [string, string]>>(areas)) {
    for (const [name, [value]] of Object.entries(area)) {
      if (value === "") continue;
      expect([name, plain(readConfig({ ...base, [name]: value }))]).toEqual([name, usual]);
    }
  }
  expect(Object.values(Commands).every(([value]) => value === "")).toBe(true);
});
