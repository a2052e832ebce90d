import { describe, expect, test } from "bun:test";
import { Saver } from "./saver.ts";

/** A server with one text, and timers that run when told. */
function desk() {
  const told: string[] = [];
  const timers: (() => void)[] = [];
  const server = { version: 1, text: "", fails: false };
  const saver = new Saver<string>(
    {
      async send(copy, base) {
        if (server.fails) throw new Error("away");
        if (base !== server.version) throw new Error("conflict");
        server.text = copy;
        server.version += 1;
        return server.version;
      },
      isConflict: (error) => error instanceof Error && error.message === "conflict",
      onChange: (state, version) => told.push(`${state} ${version}`),
      later(work) {
        timers.push(work);
        return () => timers.splice(timers.indexOf(work), 1);
      },
    },
    1,
  );
  const wait = async () => {
    for (const work of timers.splice(0)) work();
    await saver.flush();
  };
  return { saver, server, told, timers, wait };
}

describe("saving by itself", () => {
  test("sends what was typed last, once", async () => {
    const { saver, server, told, wait } = desk();
    saver.change("a");
    saver.change("ab");
    await wait();
    expect(server).toMatchObject({ text: "ab", version: 2 });
    expect(told).toEqual(["waiting 1", "waiting 1", "saving 1", "saved 2"]);
  });

  test("sends what is typed while a save is under way on the version that it made", async () => {
    const { saver, server, wait } = desk();
    saver.change("a", { now: true });
    const first = wait();
    saver.change("ab");
    await first;
    expect(server).toMatchObject({ text: "ab", version: 3 });
  });

  test("writes nothing over what somebody else has saved, until told to", async () => {
    const { saver, server, wait } = desk();
    server.version = 5;
    saver.change("mine");
    await wait();
    saver.change("mine too");
    await wait();
    expect(saver.state).toBe("conflict");
    expect(server.text).toBe("");
    saver.restart(5, "mine too");
    await wait();
    expect(server).toMatchObject({ text: "mine too", version: 6 });
  });

  test("tries again when the server was away", async () => {
    const { saver, server, timers, wait } = desk();
    server.fails = true;
    saver.change("a");
    expect(await saver.flush()).toBe(false);
    expect([saver.state, timers.length]).toEqual(["failed", 1]);
    server.fails = false;
    await wait();
    expect([saver.state, server.text]).toEqual(["saved", "a"]);
  });
});
