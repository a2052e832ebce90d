import { describe, expect, test } from "bun:test";
import { isSampled } from "./sampler.ts";
import { newTraceId } from "./span.ts";
import { readTraceParent, writeTraceParent } from "./trace-context.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";

describe("traceparent", () => {
  test("says whose child a request is, and whether that is recorded", () => {
    const parent = { traceId: TRACE, spanId: SPAN, state: undefined };
    expect(readTraceParent(`00-${TRACE}-${SPAN}-01`, null)).toEqual({ ...parent, sampled: true });
    expect(readTraceParent(`00-${TRACE}-${SPAN}-00`, null)).toEqual({ ...parent, sampled: false });
    // Only the last bit is about being recorded.
    expect(readTraceParent(`00-${TRACE}-${SPAN}-03`, "a=b")).toEqual({
      ...parent,
      sampled: true,
      state: "a=b",
    });
    expect(readTraceParent(` ${writeTraceParent(TRACE, SPAN)} `, null)).toMatchObject(parent);
  });

  test("of a later version is read as far as it is known", () => {
    const known = { traceId: TRACE, spanId: SPAN, sampled: true };
    expect(readTraceParent(`01-${TRACE}-${SPAN}-01`, null)).toMatchObject(known);
    expect(readTraceParent(`cc-${TRACE}-${SPAN}-01-what-the-future-says`, null)).toMatchObject(
      known,
    );
  });

  const bad = [
    "",
    "no",
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01-more`,
    `cc-${TRACE}-${SPAN}-01.more`,
    `00-${"0".repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${"0".repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${TRACE.slice(1)}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}a-01`,
    `00-${TRACE}-${SPAN}-1`,
    `00-${TRACE}-${SPAN}-0x`,
    `0-${TRACE}-${SPAN}-01`,
    // Two headers reach us as one text.
    `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
  ];
  test.each(bad)("that is %p counts as none, and the state beside it too", (header) => {
    expect(readTraceParent(header, "a=b")).toBeUndefined();
  });

  test("comes without a state that is longer than anybody has to carry", () => {
    const parent = readTraceParent(`00-${TRACE}-${SPAN}-01`, "a=".padEnd(513, "b"));
    expect(parent?.state).toBeUndefined();
  });
});

describe("sampling", () => {
  const parent = { traceId: TRACE, spanId: SPAN, state: undefined };

  test("goes by the parent where there is one, unless it is told not to", () => {
    const based = { ratio: 0, parentBased: true };
    expect(isSampled(based, TRACE, { ...parent, sampled: true })).toBe(true);
    expect(isSampled({ ...based, ratio: 1 }, TRACE, { ...parent, sampled: false })).toBe(false);
    const alone = { ratio: 1, parentBased: false };
    expect(isSampled(alone, TRACE, { ...parent, sampled: false })).toBe(true);
    expect(isSampled({ ...alone, ratio: 0 }, TRACE, { ...parent, sampled: true })).toBe(false);
  });

  test("by a share takes about that share, and of a larger one all that of a smaller one", () => {
    const ids = Array.from({ length: 4_000 }, newTraceId);
    const taken = (ratio: number) =>
      new Set(ids.filter((id) => isSampled({ ratio, parentBased: true }, id, undefined)));
    const [none, few, many, all] = [taken(0), taken(0.1), taken(0.6), taken(1)];
    expect([none.size, all.size]).toEqual([0, ids.length]);
    // Nine deviations wide.
    expect(few.size).toBeGreaterThan(230);
    expect(few.size).toBeLessThan(570);
    expect(few.isSubsetOf(many)).toBe(true);
  });
});
