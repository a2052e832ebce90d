import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { Deferred, hear, type Listener } from "./deferred.ts";

/** Somebody who writes down what they are told. */
function writer(told: string[], name: string): Listener<string> {
  return {
    came: (value) => void told.push(`${name}: ${value}`),
    failed: (thrown) => void told.push(`${name}: no ${(thrown as Error).message}`),
  };
}

describe("what will be there", () => {
  test("is told in the moment in which it is, in the order of those who listen", () => {
    const told: string[] = [];
    const later = new Deferred<string>();
    for (const name of ["a", "b", "c"]) later.hear(writer(told, name));
    expect(told).toEqual([]);
    later.came("here");
    expect(told).toEqual(["a: here", "b: here", "c: here"]);
    later.hear(writer(told, "late"));
    expect(told.at(-1)).toBe("late: here");
  });

  test("is told last to whoever comes while others are being told", () => {
    const told: string[] = [];
    const later = new Deferred<string>();
    const first = writer(told, "a");
    later.hear({
      ...first,
      came(value) {
        first.came(value);
        later.hear(writer(told, "from a"));
      },
    });
    later.hear(writer(told, "b"));
    later.came("here");
    expect(told).toEqual(["a: here", "b: here", "from a: here"]);
  });

  test("comes once, or fails once", () => {
    const told: string[] = [];
    const later = new Deferred<string>();
    later.hear(writer(told, "a"));
    later.failed(new Error("more"));
    later.came("here");
    later.failed(new Error("again"));
    later.hear(writer(told, "late"));
    expect(told).toEqual(["a: no more", "late: no more"]);
  });

  test("is waited for like a promise", async () => {
    const later = new Deferred<string>();
    const waiting = Promise.all([later, later.promise(), later.then((value) => `${value}!`)]);
    later.came("here");
    expect(await waiting).toEqual(["here", "here", "here!"]);
    const lost = new Deferred<string>();
    lost.failed(new Error("lost"));
    await expect((async () => lost)()).rejects.toThrow("lost");
  });

  test("of a promise tells the same", async () => {
    const told: string[] = [];
    hear(Promise.resolve("here"), writer(told, "a"));
    hear(Promise.reject(new Error("more")), writer(told, "b"));
    await Bun.sleep(0);
    expect(told).toEqual(["a: here", "b: no more"]);
  });

  test("reaches the others though one of them throws, of which the process hears", () => {
    const script = `
      import { Deferred } from ${JSON.stringify(join(import.meta.dir, "deferred.ts"))};
      const later = new Deferred();
      later.hear({ came() { throw new Error("mine"); }, failed() {} });
      later.hear({ came: (value) => console.log("heard", value), failed() {} });
      later.came("here");
    `;
    const { stdout, stderr, exitCode } = Bun.spawnSync([process.execPath, "-e", script]);
    expect([String(stdout).trim(), exitCode]).toEqual(["heard here", 1]);
    expect(String(stderr)).toContain("mine");
  });
});
