import { describe, expect, test } from "bun:test";
import { hashCode, newCodeText, plainCode } from "./code.ts";

describe("the text of a redeem code", () => {
  test("is read however it was typed", () => {
    const text = newCodeText();
    expect(text).toMatch(/^FG(-[0-9A-HJKMNP-TV-Z]{5}){4}$/);
    const plain = plainCode(text) as string;
    expect(plain).toHaveLength(20);
    const typed = [
      text.toLowerCase(),
      ` ${text.replaceAll("-", " ")} `,
      plain,
      `fg${plain}`,
      text.replaceAll("0", "o").replaceAll("1", "l"),
    ];
    expect(typed.map(plainCode)).toEqual(typed.map(() => plain));
  });

  test("that begins like the prefix is read with and without it", () => {
    let text = newCodeText();
    while (!text.startsWith("FG-FG")) text = newCodeText();
    expect(plainCode(text.slice(3))).toBe(plainCode(text) as string);
  });

  test("with a wrong or exchanged character is almost never taken for a code", () => {
    let taken = 0;
    for (let i = 0; i < 2_000; i++) {
      const plain = plainCode(newCodeText()) as string;
      const at = i % plain.length;
      const wrong = plain[at] === "A" ? "B" : "A";
      if (plainCode(plain.slice(0, at) + wrong + plain.slice(at + 1))) taken += 1;
    }
    // A check of ten bits lets one in a thousand through.
    expect(taken).toBeLessThan(20);
  });

  test("is stored as a hash that says nothing of it", () => {
    const plain = plainCode(newCodeText()) as string;
    expect(hashCode(plain)).toMatch(/^[0-9a-f]{64}$/);
    expect(hashCode(plain)).not.toContain(plain.toLowerCase().slice(0, 6));
  });
});
