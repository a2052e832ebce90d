import { expect, test } from "bun:test";
import { DIRECT, figureOf, figuresOf, type PeerRound, requestsFor, turned } from "./statistics.ts";

function round(
  peer: string,
  set: number,
  connections: number,
  p50Ms: number,
  cpuUs = 1,
): PeerRound {
  return {
    peer,
    kind: "whole",
    set,
    connections,
    requests: 10,
    perSecond: cpuUs * 2,
    cpuUs,
    p50Ms,
    p99Ms: p50Ms * 3,
    firstByteP50Ms: p50Ms / 2,
  };
}

test("a figure is the median round between the lowest and the highest", () => {
  expect(figureOf([9, 1, 4])).toEqual({ median: 4, low: 1, high: 9 });
  expect(() => figureOf([])).toThrow("without a round");
});

test("what a peer adds is compared with the mock of the same set, whatever the order", () => {
  const rounds = [
    round("peer", 1, 1, 15),
    round(DIRECT, 0, 1, 1),
    round("peer", 0, 1, 4),
    round(DIRECT, 1, 1, 10),
    round("peer", 2, 1, 6),
    round(DIRECT, 2, 1, 2),
    round("peer", 0, 64, 99, 50),
    round("peer", 1, 64, 99, 400),
    round("peer", 2, 64, 99, 60),
    round("other", 0, 64, 99, 7),
  ];
  const figures = figuresOf(rounds, "peer", "whole");
  expect(figures.addedP50Ms).toEqual({ median: 4, low: 3, high: 5 });
  expect(figures.addedFirstByteMs.median).toBe(2);
  expect(figures.cpuUs).toEqual({ median: 60, low: 50, high: 400 });
  expect(figures.perSecond.median).toBe(120);
});

test("rounds of the other kind do not count, and a set without the mock is an error", () => {
  const stream = { ...round("peer", 0, 64, 1, 900), kind: "stream" as const };
  const rounds = [round(DIRECT, 0, 1, 1), round("peer", 0, 1, 2), round("peer", 0, 64, 1, 10)];
  expect(figuresOf([...rounds, stream], "peer", "whole").cpuUs.high).toBe(10);
  expect(() => figuresOf(rounds.slice(1), "peer", "whole")).toThrow("set 0 has no direct round");
});

test("a round is as long for a slow server as for a quick one", () => {
  expect(requestsFor(10_000, 2, 64)).toBe(20_000);
  expect(requestsFor(100, 2, 64)).toBe(200);
  // A server that answers nothing in the time still gets two on each connection.
  expect(requestsFor(0.1, 2, 64)).toBe(128);
  expect(requestsFor(0.1, 2, 1)).toBe(20);
});

test("everyone begins a set once", () => {
  const first = [0, 1, 2].map((set) => turned(["a", "b", "c"], set)[0]);
  expect(first).toEqual(["a", "b", "c"]);
  expect(turned(["a", "b", "c"], 4)).toEqual(["b", "c", "a"]);
  expect(turned([], 2)).toEqual([]);
});
