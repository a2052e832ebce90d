import { expect, test } from "bun:test";
import { logprobsOf } from "./logprobs.ts";

test("the token itself leads a falling list of the length asked for", () => {
  for (const token of ["Hi", " the", "灯"]) {
    const entry = logprobsOf(token, 5);
    const falling = entry.top_logprobs.map((other) => other.logprob);
    expect(entry.top_logprobs).toHaveLength(5);
    expect(entry.top_logprobs[0]?.token).toBe(token);
    expect(falling).toEqual(falling.toSorted((left, right) => right - left));
    expect(new Set(entry.top_logprobs.map((other) => other.token)).size).toBe(5);
    expect(entry.logprob).toBeLessThan(0);
    expect(entry.bytes).toEqual([...new TextEncoder().encode(token)]);
    expect(logprobsOf(token, 5)).toEqual(entry);
  }
  expect(logprobsOf("x", 0).top_logprobs).toEqual([]);
});
