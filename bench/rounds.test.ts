import { expect, test } from "bun:test";
import { percentile, type Round, type ServerName, summarise } from "./rounds.ts";

function round(server: ServerName, connections: number, p50Ms: number, cpuUs = 0): Round {
  return {
    server,
    kind: "whole",
    connections,
    requests: 10,
    perSecond: cpuUs * 2,
    cpuUs,
    databaseUs: cpuUs / 2,
    p50Ms,
    p99Ms: p50Ms * 3,
    firstByteP50Ms: p50Ms,
    readsPerAnswer: 1,
  };
}

test("a percentile is one of the values, whatever their order", () => {
  const values = Array.from({ length: 100 }, (_, i) => 100 - i);
  expect(percentile(values, 0.5)).toBe(50);
  expect(percentile(values, 0.99)).toBe(99);
  expect(percentile([7], 0.99)).toBe(7);
});

test("added latency is the median of the differences within each set", () => {
  const sets = [
    { directMs: 1, addedMs: 3, cpuUs: 50 },
    { directMs: 10, addedMs: 5, cpuUs: 400 },
    { directMs: 2, addedMs: 4, cpuUs: 60 },
  ];
  const rounds = sets.flatMap(({ directMs, addedMs, cpuUs }) => [
    round("direct", 1, directMs),
    round("gateway", 1, directMs + addedMs),
    round("gateway", 64, 99, cpuUs),
    round("relay", 64, 99, 1),
  ]);
  const summary = summarise(rounds, "gateway", "whole");
  expect(summary.addedP50Ms).toBe(4);
  expect(summary.addedP99Ms).toBe(12);
  expect(summary.cpuUs).toBe(60);
  expect(summary.databaseUs).toBe(30);
  expect(summary.perSecond).toBe(120);
});

test("the ratio to the relay is the median of those within each set, whatever the machine's speed becomes", () => {
  const sets = [
    { relayUs: 50, times: 2 },
    { relayUs: 500, times: 3 },
    { relayUs: 60, times: 4 },
  ];
  const rounds = sets.flatMap(({ relayUs, times }) => [
    round("relay", 64, 1, relayUs),
    round("gateway", 64, 1, relayUs * times),
  ]);
  expect(summarise(rounds, "gateway", "whole").cpuRatio).toBe(3);
});

test("rounds of another kind do not count", () => {
  const rounds = [
    round("relay", 64, 1, 10),
    { ...round("relay", 64, 1, 90), kind: "stream" as const },
  ];
  expect(summarise(rounds, "relay", "whole").cpuUs).toBe(10);
});
