import { afterEach, describe, expect, test } from "bun:test";
import type { CountSettings, CountTargets } from "../../../test/support/counting-thread.ts";
import { type MethodsOf, WorkerPort } from "./worker-port.ts";

type Counting = WorkerPort<MethodsOf<CountTargets>>;

const opened: Counting[] = [];

afterEach(async () => {
  for (const port of opened.splice(0)) await port.end();
});

async function count(start = 0): Promise<Counting> {
  const settings: CountSettings = { start };
  const port: Counting = await WorkerPort.open({
    worker: new Worker(new URL("../../../test/support/counting-thread.ts", import.meta.url)),
    settings,
    closed: "the counter is closed",
    ended: "the counter has ended",
    error: (message, options) => new RangeError(message, options),
  });
  opened.push(port);
  return port;
}

/** Not by `rejects`, which hears nothing from a thread while it waits. */
function thrownBy(asked: Promise<unknown>): Promise<unknown> {
  return asked.catch((thrown: unknown) => thrown);
}

describe("a port to a thread", () => {
  test("gives each call its own answer, in the type of its method", async () => {
    const port = await count(5);
    const answers = [port.call("add", 2, 3), port.call("add", 1, 1)];
    const said: Promise<string> = port.call("say", "now");
    expect(await Promise.all(answers)).toEqual([11, 12]);
    expect(await said).toBe("now 12");
  });

  test("takes no other names and no other arguments", async () => {
    const port = await count();
    // @ts-expect-error the thread has no such method
    const refused = thrownBy(port.call("subtract", 1));
    expect(await refused).toEqual(new RangeError('the thread has no "subtract"'));
    // @ts-expect-error a text is no number
    expect(await port.call("add", "2", 3)).toBe(6);
    // @ts-expect-error a number is no text
    const said: Promise<number> = port.call("say", "now");
    await said;
  });

  test("rejects with what was thrown, and the thread goes on", async () => {
    const port = await count();
    expect(await thrownBy(port.call("refuse"))).toEqual(new RangeError("will not count that"));
    expect(await port.call("add", 1, 1)).toBe(1);
  });

  test("rejects what cannot be copied to it", async () => {
    const port = await count();
    // @ts-expect-error a function is no number
    expect(await thrownBy(port.call("add", () => 1, 1))).toBeInstanceOf(DOMException);
    expect(await port.call("add", 1, 1)).toBe(1);
  });

  test("does not open where the thread cannot", async () => {
    expect(await thrownBy(count(-1))).toEqual(new RangeError("counts from zero on"));
  });

  test("closes behind what was asked before, and refuses what comes after", async () => {
    const port = await count();
    const before = port.call("add", 4, 1);
    const closed = port.close();
    const after = await thrownBy(port.call("add", 1, 1));
    expect(after).toEqual(new RangeError("the counter is closed"));
    expect(await before).toBe(4);
    await closed;
  });

  test("rejects what is open when the thread ends, and says so to whoever listens", async () => {
    const port = await count();
    const ended = new RangeError("the counter has ended");
    const lost = thrownBy(port.call("die"));
    expect(await port.failed).toEqual(ended);
    expect(await lost).toEqual(ended);
    expect(await thrownBy(port.call("add", 1, 1))).toEqual(ended);
  });
});
