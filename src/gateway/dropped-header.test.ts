import { expect, test } from "bun:test";
import fc from "fast-check";
import { anyCharacter } from "../../test/support/any-character.ts";
import { count } from "../../test/support/counts.ts";
import { droppedHeader } from "./dropped-header.ts";

test("names are listed once each", () => {
  expect(droppedHeader(["seed", "tools[0].codeExecution", "seed"])).toBe(
    "seed, tools[0].codeExecution",
  );
});

test("what a header cannot hold is not in it", () => {
  expect(droppedHeader(["a\r\nset-cookie: b=c", "snow\u2603"])).toBe("a??set-cookie: b=c, snow?");
});

test("a long list ends where clients would refuse it", () => {
  const value = droppedHeader(Array.from({ length: 5_000 }, (_, i) => `member_${i}`));
  expect(value).toStartWith("member_0, member_1, ");
  expect(value).toEndWith(", ...");
  expect(value.length).toBeLessThan(2_100);
});

test("any names of any client make a header", () => {
  const names = fc.array(fc.string({ unit: anyCharacter, maxLength: 300 }), { maxLength: 40 });
  fc.assert(
    fc.property(names, (list) => {
      const headers = { "x-faregate-dropped": droppedHeader(list) };
      expect(() => new Response("", { headers })).not.toThrow();
    }),
    { numRuns: count(25, 100) },
  );
});
