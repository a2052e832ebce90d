import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { keptLog } from "../../test/support/logs.ts";
import { calmLog } from "./calm-log.ts";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function setUp() {
  const { log, lines } = keptLog();
  const told = () =>
    lines.splice(0).map((line) => {
      const { time: _, ...rest } = JSON.parse(line);
      return rest;
    });
  return { log: calmLog(log, ["not_kept"]), told };
}

const line = (fields: object) => ({ level: "error", event: "not_kept", ...fields });

test("what every request repeats is told at once, and then now and then with how often it was", () => {
  const { log, told } = setUp();
  log.error("not_kept", { response: "resp_0" });
  expect(told()).toEqual([line({ response: "resp_0" })]);
  for (let more = 1; more <= 2_000; more++) log.error("not_kept", { response: `resp_${more}` });
  jest.advanceTimersByTime(9_000);
  expect(told()).toEqual([]);
  jest.advanceTimersByTime(1_000);
  expect(told()).toEqual([line({ response: "resp_2000", times: 2_000 })]);
  log.error("not_kept", { response: "resp_last" });
  jest.advanceTimersByTime(10_000);
  expect(told()).toEqual([line({ response: "resp_last", times: 1 })]);
  // It is over when ten seconds go by without one: the next is told at once.
  jest.advanceTimersByTime(10_000);
  log.error("not_kept", { response: "resp_new" });
  expect(told()).toEqual([line({ response: "resp_new" })]);
  jest.advanceTimersByTime(60_000);
  expect(told()).toEqual([]);
});

test("every other line is written as it comes", () => {
  const { log, told } = setUp();
  for (const level of ["debug", "info", "warn", "error"] as const) {
    log[level]("other");
    log[level]("other", { more: 1 });
  }
  expect(told().map(({ level, more }) => [level, more])).toEqual(
    ["debug", "info", "warn", "error"].flatMap((level) => [
      [level, undefined],
      [level, 1],
    ]),
  );
});
