import { describe, expect, test } from "bun:test";
import { readConfig } from "../../config/config.ts";
import { Fault } from "../../lib/faults.ts";
import { upstreamUnavailable } from "../../protocols/faults.ts";
import { Drains } from "../drains.ts";
import { RetryBudget } from "../plans/retry-budget.ts";
import { StickyChannels } from "../plans/sticky.ts";
import { type Credential, Credentials, VendorKey } from "./credentials.ts";

const { limits } = readConfig({
  FAREGATE_CREDENTIAL_COOLDOWN_MS: "10000",
  FAREGATE_CREDENTIAL_COOLDOWN_MS_MAX: "60000",
  FAREGATE_RETRIES_MAX: "2",
  FAREGATE_RETRY_BUDGET_MIN: "3",
  FAREGATE_RETRY_BUDGET_PERCENT: "20",
  FAREGATE_STICKY_MS: "1000",
  FAREGATE_STICKY_ENTRIES_MAX: "3",
});

const KEYS = ["secret-key-number-1111", "secret-key-number-2222", "secret-key-number-3333"];

function credentials(count = 3) {
  const keys = KEYS.slice(0, count).map((key) => new VendorKey(key));
  const all = new Credentials(keys, limits);
  const pick = (nowMs = 0, tried: Credential[] = [], model = "m") =>
    all.pick(model, nowMs, tried)?.key.lastFour;
  return { all, pick, nth: (at: number) => all.all[at] as Credential };
}

describe("the keys of a channel", () => {
  test("are used in turn", () => {
    const { pick } = credentials();
    const picked = Array.from({ length: 6 }, () => pick());
    expect(picked).toEqual(["1111", "2222", "3333", "1111", "2222", "3333"]);
  });

  test("share what a refused one would have had", () => {
    const { all, pick, nth } = credentials();
    all.refuse(nth(1), "401 Incorrect key.", 0);
    expect([pick(), pick(), pick(), pick()]).toEqual(["1111", "3333", "1111", "3333"]);
    expect(all.refused).toBe(false);
    all.refuse(nth(0), "no", 0);
    all.refuse(nth(2), "no", 0);
    expect([pick(1e12), all.refused, all.usableAtMs("m")]).toEqual([
      undefined,
      true,
      Number.POSITIVE_INFINITY,
    ]);
  });

  test.each([
    ["as long as the vendor says", 5_000, 5_000],
    ["as long as we think where it says nothing", undefined, 10_000],
    ["no longer than we allow", 3_600_000, 60_000],
    ["not at all where it says so", 0, 0],
  ])("rest %s", (_name, retryAfterMs, restMs) => {
    const { all, pick, nth } = credentials(1);
    all.limited(nth(0), 1_000, retryAfterMs, "m");
    expect(all.usableAtMs("m")).toBe(1_000 + restMs);
    if (restMs > 0) expect(pick(1_000 + restMs - 1)).toBeUndefined();
    expect(pick(1_000 + restMs)).toBe("1111");
  });

  test.each([["busy"], [undefined]])(
    "rest for the longest of what the vendor says, of the model %p",
    (model) => {
      const { all, nth } = credentials(1);
      all.limited(nth(0), 0, 50_000, model);
      // Of a request that was on its way already.
      all.limited(nth(0), 100, 1_000, model);
      expect(all.usableAtMs("busy")).toBe(50_000);
      all.limited(nth(0), 200, 55_000, model);
      expect(all.usableAtMs("busy")).toBe(55_200);
    },
  );

  test("rest for the model that was asked too often, or for all when there is no money", () => {
    const { all, pick, nth } = credentials(1);
    all.limited(nth(0), 0, 5_000, "busy");
    expect([pick(0, [], "busy"), pick(0, [], "other")]).toEqual([undefined, "1111"]);
    all.limited(nth(0), 0, 5_000);
    expect(pick(0, [], "other")).toBeUndefined();
  });

  test("are not tried twice, and the preferred one comes first", () => {
    const { all, nth, pick } = credentials();
    expect(all.pick("m", 0, [], nth(2))).toBe(nth(2));
    expect(pick(0, [nth(0), nth(1)])).toBe("3333");
    expect(all.pick("m", 0, [nth(2)], nth(2))).not.toBe(nth(2));
    expect(all.has("m", 0, [...all.all])).toBe(false);
  });

  test("are asked about with growing pauses while they are refused", () => {
    const { all, nth } = credentials(1);
    const { credential_probe_ms: firstMs, credential_probe_ms_max: mostMs } = limits;
    const pause = (nowMs: number) => (nth(0).status(nowMs).cooledUntilMs ?? nowMs) - nowMs;
    all.refuse(nth(0), "401 no", 0);
    expect([nth(0).probeDue(firstMs - 1), nth(0).probeDue(firstMs)]).toEqual([false, true]);
    // Others that were on their way hear the same, which is no news.
    all.refuse(nth(0), "401 no", 5);
    expect(pause(5)).toBe(firstMs);
    nth(0).stillRefused(1_000, limits);
    expect(pause(1_000)).toBe(2 * firstMs);
    // Taken by the list, refused by a request: no reason to ask more often.
    nth(0).readmit();
    expect(nth(0).probeDue(1e12)).toBe(false);
    all.refuse(nth(0), "402 no money", 2_000);
    expect(pause(2_000)).toBe(4 * firstMs);
    for (let i = 0; i < 2_000; i++) nth(0).stillRefused(3_000, limits);
    expect(pause(3_000)).toBe(mostMs);
    nth(0).readmit();
    nth(0).worked();
    all.refuse(nth(0), "401 no", 4_000);
    expect(pause(4_000)).toBe(firstMs);
  });

  test("are shown by their last four, and the short ones not at all", () => {
    const { all, nth } = credentials();
    all.refuse(nth(0), "401 no", 0);
    nth(1).cool(5_000, "m");
    const shown = [nth(0).status(0), nth(1).status(0), nth(2).status(0)];
    expect(shown.map(({ state, lastFour }) => [state, lastFour])).toEqual([
      ["refused", "1111"],
      ["cooled", "2222"],
      ["ok", "3333"],
    ]);
    expect(shown.map(({ message }) => message)).toEqual(["401 no", undefined, undefined]);
    expect(new VendorKey("short").lastFour).toBe("");
    const key = new VendorKey(KEYS[0] as string);
    expect(`${JSON.stringify({ key })} ${Bun.inspect({ key })} ${key}`).not.toContain("secret");
    expect(key.hide(`a ${KEYS[0]} b ${KEYS[0]}`)).toBe("a … b …");
  });
});

test.each(["e", "model", "service"])("a key that is %p stays in sentences of ours", (text) => {
  const key = new VendorKey(text);
  const own = upstreamUnavailable(new Error("no"));
  expect(key.hideIn(own).message).toBe(own.message);
  const quoted = new Fault("upstream_rejected", `Unknown key: ${text}.`);
  expect(key.hideIn(quoted).message.includes(`: ${text}`)).toBe(text === "e");
});

describe("headers that are sent beside a key", () => {
  const key = new VendorKey("k-1", {
    ...{ "x-pass": "Zq81mmTop9", authorization: "Bearer dXM6cGFzcw==", "x-raw": "true" },
    ...{ "x-team": "ab", "x-both": "Zq81mmTop9-and-more" },
  });

  test("are hidden with it, whole and without their scheme", () => {
    const quoted = "Zq81mmTop9, Bearer dXM6cGFzcw==, dXM6cGFzcw==, Zq81mmTop9-and-more, ab, untrue";
    expect(key.hide(quoted)).toBe("…, …, …, …, ab, untrue");
    expect(new VendorKey("k-1").hide(quoted)).toBe(quoted);
  });

  test("are hidden in the strings of JSON, which stays what it is", () => {
    const text = '{"true": true, "ab": ["\\u005aq81mmTop9", "is true", 1, null]}';
    expect(key.parse(text)).toEqual({ true: true, ab: ["…", "is …", 1, null] });
    expect(() => key.parse("<html>")).toThrow();
  });

  test("make it another one", () => {
    const headers = { "x-pass": "Zq81mmTop9" };
    const one = new VendorKey("k-1", headers);
    const equal = [new VendorKey("k-1", { ...headers }), new VendorKey("k-1"), key];
    expect(equal.map((other) => one.equals(other))).toEqual([true, false, false]);
  });
});

describe("the retry budget", () => {
  test("allows the least at once, however little runs", () => {
    const budget = new RetryBudget(limits);
    for (let i = 0; i < 3; i++) {
      expect(budget.allows()).toBe(true);
      budget.begin(true);
    }
    expect(budget.allows()).toBe(false);
    budget.end(true);
    expect(budget.allows()).toBe(true);
  });

  test("grows with what runs, and shrinks with it", () => {
    const budget = new RetryBudget(limits);
    for (let i = 0; i < 100; i++) budget.begin(false);
    let retries = 0;
    while (budget.allows()) {
      budget.begin(true);
      retries += 1;
    }
    // A fifth of all that runs, the retries included.
    expect(retries).toBe(24);
    for (let i = 0; i < 100; i++) budget.end(false);
    expect(budget.allows()).toBe(false);
  });
});

describe("sticky places", () => {
  const { nth } = credentials();

  test("are kept for a while, each for its model", () => {
    const places = new StickyChannels(limits);
    places.keep("acct/chat", "m", "one", nth(0), 0);
    expect(places.find("acct/chat", "m", 999)).toMatchObject({ channelId: "one" });
    expect(places.find("acct/chat", "other", 0)).toBeUndefined();
    expect(places.find("acct/chat", "m", 1_000)).toBeUndefined();
    expect(places.size).toBe(0);
  });

  test("forget the least lately used first", () => {
    const places = new StickyChannels(limits);
    for (const name of ["a", "b", "c", "a", "d"]) places.keep(name, "m", name, nth(0), 0);
    const kept = ["a", "b", "c", "d"].filter((name) => places.find(name, "m", 0));
    expect(kept).toEqual(["a", "c", "d"]);
  });
});

test("drains are as many as may be, and a place that is left can be taken", () => {
  const drains = new Drains(2);
  const cancelled: string[] = [];
  const call = (name: string) => ({ cancel: () => void cancelled.push(name) });
  const [first, second, third, fourth] = [call("1"), call("2"), call("3"), call("4")];
  expect([first, second, third].map((each) => drains.tryEnter(each))).toEqual([true, true, false]);
  drains.leave(first);
  expect([drains.tryEnter(third), drains.running]).toEqual([true, 2]);
  // Before a process ends it hangs up on all of them, and takes no more.
  drains.close();
  drains.leave(second);
  expect([cancelled, drains.tryEnter(fourth)]).toEqual([["2", "3"], false]);
});
