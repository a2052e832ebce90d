import { expect, test } from "bun:test";
import { safePath } from "./safe-path.ts";

test.each(["/keys?new=1", "/", "/drafts/drf_2aB4"])("leads on to %s", (to) => {
  expect(safePath(to)).toBe(to);
});

test.each([
  ...["//evil.example", "https://evil.example", "/\\evil.example", "\\\\evil.example"],
  ...["javascript:alert(1)", "evil.example", "", undefined],
])("leads to the overview instead of %s", (to) => {
  expect(safePath(to)).toBe("/");
});
