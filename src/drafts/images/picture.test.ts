import { expect, test } from "bun:test";
import { toFile } from "./picture.ts";

const named = (name: string) =>
  toFile(new Uint8Array(1), "jpeg", name, { width: 1, height: 1 }, []).name;

test.each([
  ["照片/IMG 1.webp", "IMG_1.jpg"],
  ["__a__.png", "a.jpg"],
  ["照片.png", "image.jpg"],
  [`${"a".repeat(59)}_b.png`, `${"a".repeat(59)}.jpg`],
])("%s becomes a name that every parser takes", (given, name) => {
  expect(named(given)).toBe(name);
});

test("a name as long as an address may be is read at once", () => {
  expect(named(`a${"_".repeat(500_000)}a`)).toBe("a.jpg");
}, 10_000);
