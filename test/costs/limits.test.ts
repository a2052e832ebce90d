// The limits of what a request costs, through all commits that are there: whoever changes one makes it smaller.
import { describe, expect, test } from "bun:test";
import limits from "./limits.json";

const FILE = "test/costs/limits.json";

interface Numbers {
  readonly [name: string]: number | Numbers;
}

/** Paths of what is greater, or no longer there. */
function risen(before: Numbers, after: Numbers): string[] {
  return Object.entries(before).flatMap(([name, was]) => {
    const is = after[name];
    if (typeof was === "number") return typeof is === "number" && is <= was ? [] : [name];
    const within = typeof is === "object" ? risen(was, is) : ["*"];
    return within.map((path) => `${name}.${path}`);
  });
}

function git(...args: string[]): string | undefined {
  const asked = Bun.spawnSync(["git", "-C", import.meta.dir, ...args], { stderr: "ignore" });
  return asked.success ? asked.stdout.toString() : undefined;
}

/** What was committed, the oldest first; undefined where the tree came without its history. */
function history(): { commit: string; numbers: Numbers }[] | undefined {
  try {
    const commits = git("log", "--reverse", "--format=%h", "--", "limits.json")?.trim();
    return commits?.split("\n").flatMap((commit) => {
      const text = commit && git("show", `${commit}:${FILE}`);
      return text ? [{ commit, numbers: JSON.parse(text) as Numbers }] : [];
    });
  } catch {
    // There is no git on this machine.
    return undefined;
  }
}

describe("the limits of what a request costs", () => {
  const commits = history();
  if (!commits) console.log("  the limits are not compared: this tree has no history");
  test.skipIf(!commits)("have only fallen", () => {
    let before: Numbers = {};
    for (const { commit, numbers } of [...(commits ?? []), { commit: "now", numbers: limits }]) {
      expect({ commit, risen: risen(before, numbers) }).toEqual({ commit, risen: [] });
      before = numbers;
    }
  });

  test("may fall and be joined by others; one that rises or goes away is named", () => {
    const before = { a: { x: 2, y: 2 } };
    expect(risen(before, { a: { x: 1, y: 2 }, b: { x: 9 } })).toEqual([]);
    expect(risen(before, { a: { x: 3, y: 2 } })).toEqual(["a.x"]);
    expect(risen(before, { a: { x: 2 } })).toEqual(["a.y"]);
    expect(risen(before, {})).toEqual(["a.*"]);
  });
});
