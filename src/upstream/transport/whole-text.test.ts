import { expect, test } from "bun:test";
import { arraysHeld } from "../../../test/support/vendors/arrays-held.ts";
import { wholeText } from "./whole-text.ts";

test.each([1, 700, 5_000])(
  "a text is of all of its pieces, and is few things, in pieces of %d bytes",
  async (size) => {
    const bytes = Buffer.from("a fox 狐 ".repeat(20_000));
    const before = arraysHeld();
    let held = 0;
    let at = 0;
    const answer = {
      async read() {
        if (at >= bytes.length) {
          held = arraysHeld() - before;
          return undefined;
        }
        at += size;
        return new Uint8Array(bytes.subarray(at - size, at));
      },
    };
    const text = await wholeText(answer as never, bytes.length);
    expect(text === bytes.toString()).toBe(true);
    expect(held).toBeLessThan(5_000);
  },
);
