import { describe, expect, test } from "bun:test";
import type { ChannelStatus } from "../../../upstream/channels/channel-state.ts";
import { type HealthFacts, Troubles } from "./troubles.ts";

const NOW_MS = Date.UTC(2026, 10, 19, 3);
const GB = 1024 ** 3;
const WELL: HealthFacts = {
  gate: { channels: [], storage: null, recent: { requests: 100, failures: 0, unavailable: 0 } },
  folder: "/data",
  disk: { freeBytes: 50 * GB, totalBytes: 100 * GB },
  outbox: undefined,
  problems: new Map(),
};

function channel(change: Partial<ChannelStatus>): ChannelStatus {
  const none = { attempts: 0, failures: 0 };
  return {
    ...{ id: "deepseek", name: "DeepSeek", vendor: "deepseek", enabled: true, state: "ok" },
    ...{ reason: undefined, cooledUntilMs: undefined, attempts: 0, faults: 0 },
    ...{ recent: none, totals: none, answeredAtMs: undefined, failedAtMs: undefined },
    ...{ lastError: undefined, credentials: [], ...change },
  };
}

function told(change: Partial<HealthFacts>, nowMs = NOW_MS, troubles = new Troubles()) {
  return troubles.of({ ...WELL, ...change }, nowMs);
}

const kindsOf = (change: Partial<HealthFacts>) => told(change).map(({ kind }) => kind);
const withChannels = (...channels: readonly Partial<ChannelStatus>[]): Partial<HealthFacts> => ({
  gate: {
    storage: null,
    recent: { requests: 0, failures: 0, unavailable: 0 },
    channels: channels.map(channel),
  },
});

test("where all is well, nothing is told", () => {
  expect(told({})).toEqual([]);
  expect(told(withChannels({ state: "ok" }, { state: "untried" }))).toEqual([]);
});

describe("a channel", () => {
  const failing = { attempts: 9, failures: 8 };
  test.each([
    ["refused by its vendor", { state: "refused" }, "channel_refused", "bad"],
    ["without quota", { state: "cooled", reason: "quota" }, "channel_quota", "bad"],
    ["that rests after failures", { state: "cooled", reason: "faults" }, "channel_down", "bad"],
    ["on trial", { state: "trial" }, "channel_down", "bad"],
    ["that does not answer", { state: "failing" }, "channel_failing", "bad"],
    ["whose rate is limited", { state: "cooled", reason: "rate" }, "channel_limited", "warn"],
    ["most of whose calls fail", { state: "ok", recent: failing }, "channel_errors", "warn"],
  ] as const)("%s is told", (_name, change, kind, severity) => {
    const failedAtMs = NOW_MS - 60_000;
    expect(told(withChannels({ ...change, failedAtMs }))).toMatchObject([
      { kind, severity, subject: "deepseek", name: "DeepSeek", since: "2026-11-19T02:59:00.000Z" },
    ]);
    expect(told(withChannels({ ...change, enabled: false }))).toEqual([]);
  });

  test("that has lost some of its keys is told, with how many", () => {
    const key = { lastFour: "abcd", cooledUntilMs: undefined, message: undefined };
    const credentials = [
      { ...key, state: "ok", exhausted: false },
      { ...key, state: "cooled", exhausted: true },
      { ...key, state: "cooled", exhausted: false },
    ] as const;
    expect(told(withChannels({ credentials }))).toMatchObject([
      { kind: "channel_keys", count: 1, total: 3 },
    ]);
  });
});

describe("a disk", () => {
  test("is low, then full, by its free room", () => {
    const free = (freeBytes: number, totalBytes = 100 * GB) =>
      kindsOf({ disk: { freeBytes, totalBytes } });
    expect([free(2 * GB), free(0.9 * GB), free(0.09 * GB)]).toEqual([
      [],
      ["disk_low"],
      ["disk_full"],
    ]);
    // A small disk needs less free space.
    expect([free(10e6, 40e6), free(3e6, 40e6), free(0, 40e6)]).toEqual([
      [],
      ["disk_low"],
      ["disk_full"],
    ]);
    expect(kindsOf({ disk: undefined })).toEqual([]);
  });
});

test("requests that nobody could serve are told from a few on, and from a share of all", () => {
  const unavailable = (count: number, requests: number) =>
    kindsOf({
      gate: {
        channels: [],
        storage: null,
        recent: { requests, failures: count, unavailable: count },
      },
    });
  expect(unavailable(2, 2)).toEqual([]);
  expect(unavailable(3, 61)).toEqual([]);
  expect(unavailable(203, 300)).toEqual(["unavailable"]);
});

test("storage, settings, mail and a gate that does not answer are told, the worst first", () => {
  const storage = { sinceMs: NOW_MS - 5_000, reason: "database or disk is full" };
  const outbox = { waiting: 2, givenUp: 1, sinceMs: NOW_MS - 60_000, error: "connection refused" };
  const gate = { ...withChannels({ state: "refused" }).gate, storage } as HealthFacts["gate"];
  const problems = new Map([
    ["channel custom-1", "wrong secret"],
    ["model team/a", "no price"],
  ]);
  expect(told({ gate, outbox, problems })).toMatchObject([
    { kind: "storage_down", detail: "database or disk is full", since: "2026-11-19T02:59:55.000Z" },
    { kind: "channel_refused" },
    { kind: "channel_broken", subject: "custom-1", detail: "wrong secret" },
    { kind: "model_broken", subject: "team/a" },
    { kind: "notices", severity: "warn", count: 3, detail: "connection refused" },
  ]);
  expect(kindsOf({ gate: undefined })).toEqual(["gate_away"]);
});

test("a trouble keeps its beginning until it is over", () => {
  const troubles = new Troubles();
  const full = { disk: { freeBytes: 0, totalBytes: GB } };
  const sinceAt = (change: Partial<HealthFacts>, nowMs: number) =>
    told(change, nowMs, troubles).map(({ since }) => Date.parse(since) - NOW_MS);
  expect(sinceAt(full, NOW_MS)).toEqual([0]);
  expect(sinceAt(full, NOW_MS + 5_000)).toEqual([0]);
  expect(sinceAt({}, NOW_MS + 10_000)).toEqual([]);
  expect(sinceAt(full, NOW_MS + 15_000)).toEqual([15_000]);
});
