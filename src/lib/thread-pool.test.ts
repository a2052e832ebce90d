import { afterEach, describe, expect, test } from "bun:test";
import type { OddJob } from "../../test/support/odd-jobs.ts";
import { eventually } from "../../test/support/waiting.ts";
import { PoolFull, type PoolLimits, ThreadPool, WorkTooSlow } from "./thread-pool.ts";

const LIMITS: PoolLimits = {
  threadsMax: 2,
  workMs: 60_000,
  idleMs: 60_000,
  waitingMax: 4,
  perNameMax: 2,
};

const open: ThreadPool<OddJob, string>[] = [];

function poolOf(limits: Partial<PoolLimits> = {}) {
  const file = new URL("../../test/support/odd-jobs.ts", import.meta.url);
  const pool = new ThreadPool<OddJob, string>(file, { ...LIMITS, ...limits });
  open.push(pool);
  return pool;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((pool) => pool.close()));
});

const echo = (text: string): OddJob => ({ kind: "echo", text });

function gate() {
  const memory = new SharedArrayBuffer(4);
  const turn = new Int32Array(memory);
  return {
    job: { kind: "hold", gate: memory } as const,
    open() {
      Atomics.store(turn, 0, 1);
      Atomics.notify(turn, 0);
    },
  };
}

describe("work in threads", () => {
  test("is answered, and one thread does it as long as one is enough", async () => {
    const pool = poolOf();
    expect(pool.threads).toBe(0);
    expect(await pool.run("a", echo("one"))).toBe("one");
    expect(await pool.run("b", echo("two"))).toBe("two");
    expect(pool.threads).toBe(1);
  });

  test("that throws is told so, and the thread goes on", async () => {
    const pool = poolOf();
    await expect(pool.run("a", { kind: "throw" })).rejects.toThrow("an odd job broke");
    expect(await pool.run("a", echo("still here"))).toBe("still here");
    expect(pool.threads).toBe(1);
  });

  test("that does not end is ended with its thread, and the next gets a fresh one", async () => {
    const pool = poolOf({ workMs: 300 });
    await expect(pool.run("a", { kind: "loop" })).rejects.toBeInstanceOf(WorkTooSlow);
    // On a machine under load a thread may not even start within so short a time.
    await eventually("a fresh thread serves the same name", () =>
      pool.run("a", echo("again")).then(
        (text) => text === "again",
        () => false,
      ),
    );
  });

  test("fails when its thread dies, and what comes then is done by another", async () => {
    const pool = poolOf();
    await expect(pool.run("a", { kind: "die" })).rejects.toThrow("the thread has ended");
    expect(await pool.run("a", echo("another"))).toBe("another");
  });

  test("of one name is done one by one, and does not keep others waiting", async () => {
    const pool = poolOf();
    const held = gate();
    const first = pool.run("greedy", held.job);
    const second = pool.run("greedy", echo("later"));
    expect(await pool.run("modest", echo("now"))).toBe("now");
    let isSecondDone = false;
    void second.then(() => {
      isSecondDone = true;
    });
    expect(await pool.run("modest", echo("again"))).toBe("again");
    expect(isSecondDone).toBe(false);
    held.open();
    expect([await first, await second]).toEqual(["held", "later"]);
  });

  test("is refused beyond what may wait, of one name and of all", async () => {
    const pool = poolOf({ threadsMax: 1 });
    const held = gate();
    const running = pool.run("a", held.job);
    const waiting = [pool.run("a", echo("1")), pool.run("b", echo("2")), pool.run("b", echo("3"))];
    await expect(pool.run("a", echo("4"))).rejects.toBeInstanceOf(PoolFull);
    await expect(pool.run("b", echo("5"))).rejects.toBeInstanceOf(PoolFull);
    waiting.push(pool.run("c", echo("6")));
    await expect(pool.run("d", echo("7"))).rejects.toBeInstanceOf(PoolFull);
    held.open();
    expect(await Promise.all([running, ...waiting])).toEqual(["held", "1", "2", "3", "6"]);
  });

  test("leaves no thread behind once there is none, or when the pool is closed", async () => {
    const idle = poolOf({ idleMs: 1 });
    expect(await idle.run("a", echo("one"))).toBe("one");
    await eventually("the thread has ended", () => idle.threads === 0);
    expect(await idle.run("a", echo("two"))).toBe("two");
    const pool = poolOf();
    const running = pool.run("a", { kind: "loop" }).catch((thrown: Error) => thrown.message);
    await pool.close();
    expect(await running).toBe("the thread has ended");
    await expect(pool.run("a", echo("late"))).rejects.toThrow("the threads are closed");
    expect(pool.threads).toBe(0);
  });
});
