import { afterEach, describe, expect, test } from "bun:test";
import { closeSync, constants, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { partsOfTest } from "../../../test/support/houses/house.ts";
import type { OddJob } from "../../../test/support/odd-jobs.ts";
import { eventually } from "../../../test/support/waiting.ts";
import { PoolFull, type PoolLimits, ThreadPool, WorkTooSlow } from "./thread-pool.ts";

const LIMITS: PoolLimits = {
  threadsMax: 2,
  workMs: 60_000,
  idleMs: 60_000,
  waitingMax: 4,
  perNameMax: 2,
};

const parts = partsOfTest();
const open: ThreadPool<OddJob, string>[] = [];

function poolOf(limits: Partial<PoolLimits> = {}) {
  const file = new URL("../../../test/support/odd-jobs.ts", import.meta.url);
  const pool = new ThreadPool<OddJob, string>(file, { ...LIMITS, ...limits });
  open.push(pool);
  return pool;
}

afterEach(async () => {
  for (const fd of pipes) writeSync(fd, "x");
  await Promise.all(open.splice(0).map((pool) => pool.close()));
  for (const fd of pipes.splice(0)) closeSync(fd);
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

const pipes: number[] = [];

/** Has a thread of the pool that was asked to end and cannot. */
async function stick(pool: ThreadPool<OddJob, string>, name: string) {
  for (;;) {
    const pipe = join(parts.folder(), "pipe");
    expect(Bun.spawnSync(["mkfifo", pipe]).exitCode).toBe(0);
    const begun = new SharedArrayBuffer(4);
    const late = pool.run(name, { kind: "stick", begun, pipe });
    await expect(late).rejects.toBeInstanceOf(WorkTooSlow);
    // On a machine under load a thread may not even start within its time.
    if (Atomics.load(new Int32Array(begun), 0) === 0) continue;
    // Held open for both, so that nobody here waits for the other end.
    const fd = openSync(pipe, constants.O_RDWR);
    pipes.push(fd);
    return { release: () => writeSync(fd, "x") };
  }
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

  // Such as an expression that backtracks: a thread is only ended between two steps of the language.
  test("that goes on in threads which do not stop lets no more than twice as many be there", async () => {
    const pool = poolOf({ threadsMax: 1, workMs: 300 });
    // On a machine under load even a short piece of work may be late; that too is its turn.
    const turnOf = (work: Promise<string>) =>
      work.catch((thrown) => (thrown instanceof WorkTooSlow ? "done" : String(thrown)));
    const first = await stick(pool, "a");
    const second = await stick(pool, "b");
    const third = pool.run("c", echo("done"));
    const ofFirst = pool.run("a", echo("done"));
    expect(pool.threads).toBe(2);
    first.release();
    // Whose own thread has stopped is served again; whose has not, when it has.
    expect(await turnOf(third)).toBe("done");
    expect(await turnOf(ofFirst)).toBe("done");
    const ofSecond = pool.run("b", echo("done"));
    second.release();
    expect(await turnOf(ofSecond)).toBe("done");
    await eventually("one thread is enough again", () => pool.threads <= 1);
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
