import { describe, expect, test } from "bun:test";
import { Deadlines, wakingClock } from "./deadlines.ts";
import { TimeBudget } from "./time-budget.ts";
import { Watchdog } from "./watchdog.ts";

function setUp() {
  let nowMs = 0;
  let long = 0;
  const watchdog = new Watchdog(() => nowMs, 3_600_000);
  const deadlines = new Deadlines(10, () => void long++, watchdog);
  const goTo = (ms: number) => {
    nowMs = ms;
    watchdog.tick();
  };
  const late: string[] = [];
  const waiting = {
    ms: 50,
    over: () => new Error("too late"),
    late: (value: string) => void late.push(value),
  };
  return { deadlines, watchdog, goTo, late, waiting, long: () => long };
}

describe("deadlines", () => {
  test("gives what comes in time, and watches it no longer", async () => {
    const { deadlines, watchdog, goTo, waiting, late, long } = setUp();
    expect(await deadlines.wait(Promise.resolve("here"), waiting)).toBe("here");
    const broke = deadlines.wait(Promise.reject<string>(new Error("broke")), waiting);
    expect(await broke.catch((thrown: Error) => thrown.message)).toBe("broke");
    expect(watchdog.size).toBe(0);
    goTo(100);
    expect([late, long()]).toEqual([[], 0]);
  });

  test("ends a wait when it is over, and tells of what comes after all", async () => {
    const { deadlines, goTo, waiting, late } = setUp();
    const work = Promise.withResolvers<string>();
    const told = deadlines.wait(work.promise, waiting).catch((thrown: Error) => thrown.message);
    goTo(49);
    goTo(50);
    expect(await told).toBe("too late");
    expect(late).toEqual([]);
    work.resolve("after all");
    await work.promise;
    expect(late).toEqual(["after all"]);
  });

  test("what fails after the wait was over is nobody's any more", async () => {
    const { deadlines, goTo, waiting, late } = setUp();
    const work = Promise.withResolvers<string>();
    const told = deadlines.wait(work.promise, waiting).catch((thrown: Error) => thrown.message);
    goTo(50);
    work.reject(new Error("broke"));
    expect(await told).toBe("too late");
    expect(late).toEqual([]);
  });

  test("says once of each wait that it lasts", async () => {
    const { deadlines, goTo, waiting, long } = setUp();
    const work = Promise.withResolvers<string>();
    const told = deadlines.wait(work.promise, waiting);
    goTo(9);
    expect(long()).toBe(0);
    goTo(10);
    goTo(20);
    expect(long()).toBe(1);
    work.resolve("here");
    expect(await told).toBe("here");
  });

  test("a process that was stopped has not waited meanwhile", async () => {
    let realMs = 0;
    const watchdog = new Watchdog(
      wakingClock(500, () => realMs),
      3_600_000,
    );
    const work = Promise.withResolvers<string>();
    const waiting = { ms: 1_000, over: () => new Error("too late") };
    const told = new Deadlines(Number.POSITIVE_INFINITY, () => {}, watchdog)
      .wait(work.promise, waiting)
      .catch((thrown: Error) => thrown.message);
    realMs = 40_000;
    watchdog.tick();
    expect(watchdog.size).toBe(1);
    for (let ticks = 0; ticks < 10; ticks++) {
      realMs += 50;
      watchdog.tick();
    }
    expect(watchdog.size).toBe(0);
    expect(await told).toBe("too late");
  });

  test("several waits with one time budget are no longer than that together", async () => {
    const { deadlines, goTo, waiting, late } = setUp();
    const timeBudget = new TimeBudget(50);
    const waitFor = (work: Promise<string>) =>
      deadlines.wait(work, waiting, timeBudget).catch((thrown: Error) => thrown.message);
    const [first, second] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
    const [told, toldNext] = [waitFor(first.promise), () => waitFor(second.promise)];
    goTo(40);
    first.resolve("here");
    expect(await told).toBe("here");
    // What passes while he does not wait is not taken from it.
    goTo(1_000);
    const next = toldNext();
    goTo(1_009);
    expect(timeBudget.leftMs).toBe(10);
    goTo(1_010);
    expect(await next).toBe("too late");
    second.resolve("after all");
    await second.promise;
    expect(late).toEqual(["after all"]);
    timeBudget.renew();
    expect(await waitFor(Promise.resolve("here"))).toBe("here");
  });

  test("an infinite wait is never over", async () => {
    const { deadlines, goTo, waiting, long } = setUp();
    const work = Promise.withResolvers<string>();
    const told = deadlines.wait(work.promise, { ...waiting, ms: Number.POSITIVE_INFINITY });
    goTo(1_000_000_000);
    expect(long()).toBe(1);
    work.resolve("here");
    expect(await told).toBe("here");
  });
});
