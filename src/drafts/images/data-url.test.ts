import { describe, expect, test } from "bun:test";
import { processorMs } from "../../../test/support/load/processor-time.ts";
import { readDataUrl } from "./data-url.ts";

const BYTES_MAX = 100_000_000;
const read = (payload: string) => readDataUrl(`data:image/png;base64,${payload}`, BYTES_MAX);

describe("a picture as a data URL", () => {
  test.each([["QUI="], ["QUI= \n"], ["Q U\nI="], ["QUI"], ["QUI%3D"]])("is read: %j", (payload) => {
    expect(Buffer.from(read(payload)).toString()).toBe("AB");
  });

  test.each([["QUI!"], ["Q=UI"], ["QU==="], ["QUI= ="], ["=Q"]])("is refused: %j", (payload) => {
    expect(() => read(payload)).toThrow("not a data: address");
  });

  test("that was written to be slow is refused in time that grows with its length", async () => {
    const CHARS = 4_000_000;
    const costOf = (payload: string) =>
      processorMs(() => {
        try {
          read(payload);
        } catch {}
      });
    const bearable = 30 * ((await costOf("AAAA".repeat(CHARS / 4))) + 10);
    expect(await costOf(`${" ".repeat(CHARS)}=!`)).toBeLessThan(bearable);
    expect(await costOf(`${"A ".repeat(CHARS / 2)}!`)).toBeLessThan(bearable);
    expect(await costOf(`A=${" ".repeat(CHARS)}!`)).toBeLessThan(bearable);
  });
});
