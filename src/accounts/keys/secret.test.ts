import { describe, expect, test } from "bun:test";
import { hashSecret, isMistyped, newSecret } from "./secret.ts";

describe("newSecret", () => {
  test("has the prefix, 256 random bits and a checksum", () => {
    expect(newSecret()).toMatch(/^sk-fg-[0-9A-Za-z]{49}$/);
  });

  test("never comes twice and uses its whole alphabet", () => {
    const secrets = Array.from({ length: 500 }, newSecret);
    expect(new Set(secrets).size).toBe(500);
    expect(new Set(secrets.flatMap((secret) => [...secret.slice(6)])).size).toBe(62);
  });
});

describe("isMistyped", () => {
  test("a key as it was made is not", () => {
    for (let i = 0; i < 50; i++) expect(isMistyped(newSecret())).toBe(false);
  });

  test("any single wrong, missing or doubled character is noticed", () => {
    const secret = newSecret();
    for (let i = 6; i < secret.length; i++) {
      const wrong = secret[i] === "a" ? "b" : "a";
      expect(isMistyped(secret.slice(0, i) + wrong + secret.slice(i + 1))).toBe(true);
      expect(isMistyped(secret.slice(0, i) + secret.slice(i + 1))).toBe(true);
    }
    expect(isMistyped(`${secret}x`)).toBe(true);
    expect(isMistyped("sk-fg-")).toBe(true);
  });

  test("keys of other forms cannot be judged", () => {
    expect(isMistyped("sk-proj-whatever")).toBe(false);
    expect(isMistyped("imported")).toBe(false);
  });
});

test("hashSecret is the SHA-256 of the whole text", () => {
  expect(hashSecret("abc")).toBe(
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  );
});
