import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { nicenessOf } from "../../../test/office/processes.ts";
import { TextThreads } from "../text/text-threads.ts";

test.if(process.platform === "linux")(
  "a thread that works for the loop stands back behind it, and the loop behind nobody",
  async () => {
    const before = nicenessOf(process.pid);
    await new TextThreads().decode([new TextEncoder().encode("a text")]);
    const threads = readdirSync("/proc/self/task").map((id) => nicenessOf(process.pid, id));
    expect(nicenessOf(process.pid)).toBe(before);
    expect(threads).toContain(Math.min(19, before + 5));
  },
);
