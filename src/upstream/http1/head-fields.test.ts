import { expect, test } from "bun:test";
import fc from "fast-check";
import { readHead } from "./answer-head.ts";
import { fieldOf } from "./head-fields.ts";

const NAMES = ["x-request-id", "request-id", "openai-version", "retry-after", "content-type"];
/** Of the same length and with the same first letter as one of them, or with one of them inside. */
const OTHERS = ["x-request-ix", "openai-vertion", "a-request-id", "date"];

function headOf(lines: readonly string[]) {
  const bytes = Buffer.from(["HTTP/1.1 200 OK", ...lines].join("\r\n"), "latin1");
  return readHead(bytes, 0, bytes.length, false);
}

test("a field is found by its name, however that is written, and the first of several", () => {
  const head = headOf(["X-Request-ID:  a: b \t", "x-request-id: c", "content-length: 0"]);
  expect(fieldOf(head, "x-request-id")).toBe("a: b");
  expect(fieldOf(head, "request-id")).toBeNull();
});

test("an empty value is one, and a name inside a value is none", () => {
  const head = headOf(["date:", "link: request-id: 1", "x: \u00e9"]);
  expect(fieldOf(head, "date")).toBe("");
  expect(fieldOf(head, "request-id")).toBeNull();
  expect(fieldOf(head, "x")).toBe("\u00e9");
});

test("it finds what an expression finds that goes through all of the head", () => {
  const cased = (name: string) =>
    fc.boolean().map((isCapital) => (isCapital ? name.toUpperCase() : name));
  const name = fc.constantFrom(...NAMES, ...OTHERS).chain(cased);
  const value = fc.string({ maxLength: 12 }).map((text) => `${text.replace(/[^ -~]/g, "")} `);
  const line = fc.tuple(name, fc.constantFrom(":", ": ", ":\t"), value).map((all) => all.join(""));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 6 }), (lines) => {
      const head = headOf(lines);
      for (const asked of [...NAMES, ...OTHERS]) {
        const found = new RegExp(`\\n${asked}:[ \\t]*([^\\r\\n]*)`, "i").exec(head.text)?.[1];
        expect([asked, fieldOf(head, asked)]).toEqual([asked, found?.trimEnd() ?? null]);
      }
    }),
  );
});
