import { describe, expect, test } from "bun:test";
import { type Watch, Watchdog } from "./watchdog.ts";

/** A watchdog whose clock the test moves; its own timer is too slow to matter. */
function watchdogAt(startMs: number) {
  const time = { nowMs: startMs };
  const watchdog = new Watchdog(() => time.nowMs, 3_600_000);
  const goTo = (nowMs: number) => {
    time.nowMs = nowMs;
    watchdog.tick();
  };
  return { watchdog, goTo };
}

function watchAt(dueAtMs: number): Watch & { calls: number[] } {
  const calls: number[] = [];
  return { dueAtMs, calls, due: (nowMs) => void calls.push(nowMs) };
}

describe("Watchdog", () => {
  test("calls a watch from its moment on and not before", () => {
    const { watchdog, goTo } = watchdogAt(0);
    const watch = watchAt(100);
    watchdog.add(watch);
    goTo(99);
    expect(watch.calls).toEqual([]);
    goTo(100);
    goTo(150);
    expect(watch.calls).toEqual([100, 150]);
  });

  test("follows a deadline that moves", () => {
    const { watchdog, goTo } = watchdogAt(0);
    const watch = watchAt(100);
    watchdog.add(watch);
    watch.dueAtMs = 200;
    goTo(150);
    expect(watch.calls).toEqual([]);
    goTo(200);
    expect(watch.calls).toEqual([200]);
  });

  test("lets watches drop themselves and each other while it goes through them", () => {
    const { watchdog, goTo } = watchdogAt(0);
    const calls: string[] = [];
    const second: Watch = { dueAtMs: 10, due: () => void calls.push("second") };
    const third: Watch = { dueAtMs: 10, due: () => void calls.push("third") };
    const first: Watch = {
      dueAtMs: 10,
      due() {
        calls.push("first");
        watchdog.drop(first);
        watchdog.drop(second);
      },
    };
    for (const watch of [first, second, third]) watchdog.add(watch);
    goTo(10);
    goTo(20);
    expect(calls).toEqual(["first", "third", "third"]);
  });

  test("watches each once, and can watch again what it has dropped", () => {
    const { watchdog, goTo } = watchdogAt(0);
    const [one, other] = [watchAt(5), watchAt(5)];
    for (const watch of [one, one, other]) watchdog.add(watch);
    expect(watchdog.size).toBe(2);
    goTo(5);
    for (const watch of [other, one, one]) watchdog.drop(watch);
    expect(watchdog.size).toBe(0);
    goTo(6);
    watchdog.add(one);
    goTo(7);
    expect([one.calls, other.calls]).toEqual([[5, 7], [5]]);
  });

  test("calls what was added meanwhile at the next tick, and not what is dropped before its turn", () => {
    const { watchdog, goTo } = watchdogAt(0);
    const calls: string[] = [];
    const late: Watch = { dueAtMs: 0, due: () => void calls.push("late") };
    const last: Watch = { dueAtMs: 0, due: () => void calls.push("last") };
    const first: Watch = {
      dueAtMs: 0,
      due() {
        calls.push("first");
        watchdog.drop(last);
        watchdog.add(late);
      },
    };
    watchdog.add(first);
    watchdog.add(last);
    goTo(1);
    goTo(2);
    expect(calls).toEqual(["first", "first", "late"]);
  });

  test("wakes by itself, and again after it had nothing to watch", async () => {
    const watchdog = new Watchdog(() => Date.now(), 1);
    for (let round = 0; round < 2; round++) {
      const due = Promise.withResolvers<void>();
      const watch: Watch = { dueAtMs: 0, due: () => due.resolve() };
      watchdog.add(watch);
      await due.promise;
      watchdog.drop(watch);
      watchdog.tick();
    }
  });
});
