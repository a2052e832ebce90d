// Where the line is between well, soon and now, for what a test cannot have on its machine.
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { readConfig } from "../../config/config.ts";
import { apartMs, otherFinding, steadyFinding } from "./clock-check.ts";
import { flushFinding, roomFinding } from "./disk-check.ts";
import { environmentCheck } from "./environment-check.ts";
import { priceFinding } from "./vendor-check.ts";

const MB = 1024 ** 2;

describe("the doctor judges", () => {
  test.each([
    [50_000 * MB, "ok", "48.8 GB"],
    [500 * MB, "warning", "500 MB"],
    [99 * MB, "problem", "99 MB"],
  ] as const)("%p free bytes as %s", (free, state, shown) => {
    expect(roomFinding("/data", free)).toMatchObject({ state, values: { free: shown } });
  });

  test.each([
    [0.26, "ok", "0.3"],
    [35.4, "warning", 35],
    [2_000, "problem", 2_000],
  ] as const)("a flush of %p ms as %s", (took, state, ms) => {
    expect(flushFinding(took)).toMatchObject({ state, values: { ms } });
  });

  test.each([
    [0, "ok"],
    [-99, "ok"],
    [7_200_000, "warning"],
    [-5_000, "warning"],
  ] as const)("a clock that moved by %p ms as %s", (moved, state) => {
    expect(steadyFinding(moved).state).toBe(state);
  });

  test("another clock by what cannot be explained by the way to it", () => {
    const asked = { name: "v", askedMs: 100_000, answeredMs: 103_000, stepMs: 1_000 };
    expect(apartMs({ ...asked, theirMs: 99_000 })).toBe(0);
    expect(apartMs({ ...asked, theirMs: 103_000 })).toBe(0);
    expect(apartMs({ ...asked, theirMs: 93_000 })).toBe(6_000);
    expect(apartMs({ ...asked, theirMs: 110_000 })).toBe(7_000);
    const judged = (theirMs: number) => otherFinding({ ...asked, theirMs });
    expect(judged(104_000)).toMatchObject({ state: "ok", code: "clockAgrees" });
    expect(judged(110_000)).toMatchObject({ state: "warning", values: { seconds: 7 } });
    expect(judged(7_300_000)).toMatchObject({ state: "problem", values: { seconds: 7_197 } });
  });

  test("prices by when they were last held against the vendor's", () => {
    const nowMs = Date.parse("2027-02-20");
    const of = (...days: string[]) =>
      priceFinding(
        days.map((day, i) => ({ model: `m-${i}`, checkedMs: Date.parse(day) })),
        nowMs,
      );
    expect(of()).toMatchObject({ state: "ok", code: "pricesNone" });
    expect(of("2026-11-25", "2027-01-01")).toMatchObject({ state: "ok", values: { count: 2 } });
    expect(of("2026-11-15", "2027-01-01")).toMatchObject({
      state: "warning",
      values: { count: 1, all: 2, days: 90, models: "m-0" },
    });
    const many = of(...Array.from({ length: 7 }, () => "2026-01-01"));
    expect(many.values.models).toBe("m-0, m-1, m-2, m-3, m-4, …");
  });

  test("prices that name no day neither as old nor as checked", () => {
    const nowMs = Date.parse("2027-02-20");
    const own = { model: "own", checkedMs: undefined };
    expect(priceFinding([own], nowMs)).toMatchObject({
      ...{ state: "ok", code: "pricesUndated", values: { count: 1 } },
    });
    const fresh = { model: "m", checkedMs: Date.parse("2027-01-01") };
    expect(priceFinding([own, fresh], nowMs)).toMatchObject({
      ...{ state: "ok", code: "pricesFresh", values: { count: 1 } },
    });
    const old = { model: "m", checkedMs: Date.parse("2026-01-01") };
    expect(priceFinding([own, old], nowMs)).toMatchObject({
      ...{ state: "warning", values: { count: 1, all: 1, models: "m" } },
    });
  });
});

describe("the doctor reads the environment", () => {
  const examined = (env: Record<string, string>, version?: string) =>
    environmentCheck(env, readConfig(env), version);
  const worse = (env: Record<string, string>, version?: string) =>
    examined(env, version).filter(({ state }) => state !== "ok");

  test("and knows every setting that is written down", async () => {
    const root = join(import.meta.dir, "../../..");
    const files = ["README.md", ...new Bun.Glob("docs/*.md").scanSync(root)];
    const texts = await Promise.all(files.map((file) => Bun.file(join(root, file)).text()));
    const text = texts.join("\n");
    const names = new Set(text.match(/\bFAREGATE_[A-Z0-9_]*[A-Z0-9]\b/g));
    expect(names.size).toBeGreaterThan(120);
    const env = Object.fromEntries([...names].map((name) => [name, ""]));
    const unknown = worse(env).map(({ values }) => values.setting);
    // The name of a provider stands between these two.
    expect(unknown.filter((name) => name !== "FAREGATE_OIDC")).toEqual([]);
  });

  test("and finds what is no setting, with what was probably meant", () => {
    const found = worse({
      FAREGATE_PROT: "8080",
      FAREGATE_KEEP_ALIVES_MS: "1",
      FAREGATE_WORKER: "4",
      FAREGATE_OFFICE_IDLES_MS: "1",
      FAREGATE_COLOUR_OF_THE_DOOR: "green",
      FAREGATE_OIDC_ACME_LABEL: "Acme",
      FAREGATE_API_KEY: "sk-fg-1",
      OTHER_PROT: "1",
    });
    expect(found.map(({ code, values }) => [code, values.setting, values.meant])).toEqual([
      ["settingMisspelt", "FAREGATE_PROT", "FAREGATE_PORT"],
      ["settingMisspelt", "FAREGATE_KEEP_ALIVES_MS", "FAREGATE_KEEP_ALIVE_MS"],
      ["settingMisspelt", "FAREGATE_WORKER", "FAREGATE_WORKERS"],
      ["settingMisspelt", "FAREGATE_OFFICE_IDLES_MS", "FAREGATE_OFFICE_IDLE_MS"],
      ["settingUnknown", "FAREGATE_COLOUR_OF_THE_DOOR", undefined],
    ]);
  });

  test("and finds what is gone, what binds the runtime and what opens it", () => {
    const found = worse(
      {
        FAREGATE_HOLD_OUTPUT_TOKENS_DEFAULT: "1",
        BUN_CONFIG_MAX_HTTP_REQUESTS: "256",
        NODE_TLS_REJECT_UNAUTHORIZED: "0",
      },
      "1.0.0",
    );
    expect(found.map(({ code, state }) => [code, state])).toEqual([
      ["runtimeOther", "warning"],
      ["settingGone", "warning"],
      ["callsFew", "warning"],
      ["tlsUnverified", "problem"],
    ]);
    expect(worse({ BUN_CONFIG_MAX_HTTP_REQUESTS: "65336" })).toEqual([]);
  });
});
