import { afterEach, beforeEach, expect, setSystemTime, test } from "bun:test";
import { currentMs, hearTime, TIME_HEADER } from "./now.ts";

const HERE_MS = Date.parse("2026-11-15T12:00:00Z");
const answer = (time: string) => hearTime(new Headers({ [TIME_HEADER]: time }));

beforeEach(() => void setSystemTime(HERE_MS));
afterEach(() => void setSystemTime());

test("time is the server's, whatever the clock on this desk says", () => {
  answer("2026-11-15T12:00:19Z");
  expect(currentMs() - HERE_MS).toBe(19_000);
  answer("2026-11-15T09:00:00Z");
  expect(currentMs() - HERE_MS).toBe(-3 * 3_600_000);
});

test("each answer brings the clock to its moment, also while nobody listens", () => {
  answer("2026-11-15T12:00:00Z");
  setSystemTime(HERE_MS + 60_000);
  answer("2026-11-15T12:01:00Z");
  expect(currentMs() - HERE_MS).toBe(60_000);
});

test("an answer without a time changes nothing", () => {
  answer("2026-11-15T12:00:05Z");
  hearTime(new Headers());
  answer("soon");
  expect(currentMs() - HERE_MS).toBe(5_000);
});
