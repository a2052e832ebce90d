import { describe, expect, test } from "bun:test";
import { Saver } from "./saver.ts";

/** A server with one text, and timers that run when told. */
function desk() {
  const told: string[] = [];
  const timers: (() => void)[] = [];
  /** `loses`: what is sent is stored, and the answer does not come. */
  const server = { version: 1, text: "", fails: false, loses: false, refuses: "" };
  const saver = new Saver<string>(
    {
      async send(copy, base) {
        if (server.fails) throw new Error("away");
        if (copy === server.refuses) throw new Error("refused");
        const isStored = base + 1 === server.version && copy === server.text;
        if (!isStored) {
          if (base !== server.version) throw new Error("conflict");
          server.text = copy;
          server.version += 1;
        }
        if (server.loses) throw new Error("lost");
        return server.version;
      },
      isUnfit: (error) => error instanceof Error && error.message === "refused",
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

  test("is no conflict with itself where only the answer was lost", async () => {
    const { saver, server, wait } = desk();
    server.loses = true;
    saver.change("a");
    expect(await saver.flush()).toBe(false);
    saver.change("ab");
    expect(await saver.flush()).toBe(false);
    expect([saver.state, server.version]).toEqual(["failed", 2]);
    // Away for other reasons, it says nothing of what was stored before.
    server.fails = true;
    expect(await saver.flush()).toBe(false);
    Object.assign(server, { loses: false, fails: false });
    await wait();
    expect([saver.state, server.text, saver.version]).toEqual(["saved", "ab", 3]);
  });

  test("writes nothing over what somebody else has saved after an answer was lost", async () => {
    const { saver, server, wait } = desk();
    server.loses = true;
    saver.change("a");
    await saver.flush();
    Object.assign(server, { loses: false, version: 3, text: "theirs" });
    saver.change("ab");
    await wait();
    expect([saver.state, server.text]).toEqual(["conflict", "theirs"]);
    saver.restart(3, "ab");
    await wait();
    expect([saver.state, server.text]).toEqual(["saved", "ab"]);
  });

  test("does not insist on what was refused, but sends what was typed since", async () => {
    const { saver, server, wait } = desk();
    server.refuses = "too long";
    saver.change("too long");
    expect(await saver.flush()).toBe(false);
    saver.change("short");
    await wait();
    expect([saver.state, server.text]).toEqual(["saved", "short"]);
  });
});
