// What is over is taken away, and nobody waits for what was recorded before a clock was set back.
import { expect, spyOn, test } from "bun:test";
import { onEngines, SQLITE, tablesOn } from "../../test/store/engines.ts";
import { perSuite } from "../../test/support/houses/house.ts";
import { picture } from "../../test/support/samples/pictures.ts";
import { VAULT } from "../../test/support/vault.ts";
import { CallLog } from "./call-log.ts";
import { MediaLibrary } from "./media/media-library.ts";
import { MediaRows } from "./tables/media.ts";
import { openPlatformStore } from "./tables/open.ts";
import { PLATFORM_MEDIA_TABLES, PLATFORM_TABLES } from "./tables/versions.ts";
import { Tokens } from "./tokens.ts";

const START_MS = Date.UTC(2026, 10, 15, 4);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const YEAR_MS = 365 * 86_400_000;
const APPID = "wx_tidy";

const made = perSuite((parts) => tablesOn(parts, SQLITE, PLATFORM_TABLES, PLATFORM_MEDIA_TABLES));

function tokens() {
  const store = openPlatformStore(made.sql);
  let nowMs = 0;
  const { quotas } = store;
  const all = new Tokens({ store: store.tokens, quotas, vault: VAULT, clock: () => nowMs });
  const use = (atMs: number) => {
    nowMs = atMs;
    return all.issue(APPID);
  };
  return { use, tidied: spyOn(store.tokens, "removeExpired") };
}

function calls() {
  const { calls: store } = openPlatformStore(made.sql);
  const log = new CallLog(store, 100);
  const words = { method: "POST", path: "/p", url: "u", request_body: "", response_body: "" };
  const call = { ...words, appid: APPID, cost_ms: 1, errcode: 0, client_ip: "::1", field: null };
  const use = (at: number) => log.record({ ...call, rid: `r${at}`, at });
  return { use, tidied: spyOn(store, "removeOutside") };
}

function media() {
  const store = new MediaRows(made.sql);
  const library = new MediaLibrary({ store, accountBytesMax: 1024 * 1024 });
  const use = async (atMs: number) => {
    const upload = { fileName: "a.png", bytes: await picture("png") };
    return library.add(APPID, "temporary", "image", upload, atMs);
  };
  return { use, tidied: spyOn(store, "removeExpired") };
}

test.each([
  ["tokens", tokens],
  ["calls", calls],
  ["uploads", media],
])(
  "what has ended of %s is taken away once an hour, also after a clock was set back",
  async (_, open) => {
    const { use, tidied } = open();
    await use(START_MS);
    await use(START_MS + MINUTE_MS);
    expect(tidied).toHaveBeenCalledTimes(1);
    await use(START_MS - YEAR_MS);
    expect(tidied).toHaveBeenCalledTimes(2);
    await use(START_MS - YEAR_MS + MINUTE_MS);
    expect(tidied).toHaveBeenCalledTimes(2);
    await use(START_MS - YEAR_MS + 61 * MINUTE_MS);
    expect(tidied).toHaveBeenCalledTimes(3);
  },
);

onEngines("after a clock was set back, on $name", (engine) => {
  const tables = perSuite((parts) => tablesOn(parts, engine, PLATFORM_TABLES));

  function tokensAt(atMs: number) {
    const { tokens: store, quotas } = openPlatformStore(tables.sql);
    return new Tokens({ store, quotas, vault: VAULT, clock: () => atMs });
  }

  const refused = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (thrown: { errcode?: number }) => thrown.errcode,
    );

  test("a stable token can be forced, and again only half a minute later", async () => {
    await tokensAt(START_MS).stable("wx_f", true);
    const backMs = START_MS - YEAR_MS;
    const { token } = await tokensAt(backMs).stable("wx_f", true);
    expect(await refused(tokensAt(backMs + 29_000).stable("wx_f", true))).toBe(45011);
    const next = await tokensAt(backMs + 30_000).stable("wx_f", true);
    expect(next.token).not.toBe(token);
    expect(await refused(tokensAt(backMs + 30_000).check(token))).toBe(40001);
  });

  test.each([HOUR_MS, YEAR_MS])(
    "a stable token is told for two hours at most (%d ms)",
    async (ms) => {
      const before = await tokensAt(START_MS).stable(`wx_s${ms}`, false);
      const after = await tokensAt(START_MS - ms).stable(`wx_s${ms}`, false);
      expect(after).toEqual({ token: expect.any(String), expiresInS: 7_200 });
      expect(after.token).not.toBe(before.token);
      expect(await tokensAt(START_MS - ms).stable(`wx_s${ms}`, false)).toEqual(after);
    },
  );

  test("tokens of before do not live on until it has caught up", async () => {
    const [old, superseded] = [
      await tokensAt(START_MS).cloud("wx_c"),
      await tokensAt(START_MS).issue("wx_c"),
    ];
    await tokensAt(START_MS).issue("wx_c");
    const back = tokensAt(START_MS - YEAR_MS);
    expect(await refused(back.check(old.token))).toBe(42001);
    expect(await refused(back.check(superseded.token))).toBe(40001);
    // A clock that is a little behind, as that of another machine may be, refuses nothing.
    expect(await refused(tokensAt(START_MS - 60_000).check(old.token))).toBeUndefined();
  });

  test("new calls are kept, and what lies more than a week ahead is forgotten", async () => {
    const { calls: store } = openPlatformStore(tables.sql);
    const words = { method: "POST", path: "/p", url: "u", request_body: "", response_body: "" };
    const call = { ...words, cost_ms: 1, errcode: 0, client_ip: "::1", field: null };
    const record = (appid: string, at: number) =>
      new CallLog(store, 2).record({ ...call, appid, rid: `${appid}-${at}`, at });
    const kept = async (appid: string) =>
      (await store.list(appid, 10)).map(({ at }) => at - START_MS);
    for (const at of [0, 1, 2]) await record("wx_day", START_MS + at);
    await record("wx_day", START_MS - 24 * HOUR_MS);
    expect(await kept("wx_day")).toEqual([2, -24 * HOUR_MS]);
    await record("wx_year", START_MS - YEAR_MS);
    expect(await kept("wx_day")).toEqual([]);
    expect(await kept("wx_year")).toEqual([-YEAR_MS]);
  });
});
