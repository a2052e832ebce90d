import { describe, expect, test } from "bun:test";
import { redact, withoutSecret } from "./secrets.ts";

describe("redact", () => {
  test.each([
    ["our key sk-fg-abcDEF0123456789 here", "our key … here"],
    ["a vendor's sk-proj-ab_cd-1234567", "a vendor's …"],
    ["authorization: Bearer abc.def-123/==, next", "authorization: Bearer …, next"],
    ["bearer\tsecret", "bearer\t…"],
    ["postgres://user:p%40ss@db.example:5432/x", "postgres://user:…@db.example:5432/x"],
    ["two sk-aaaaaaaa and ot-fg-bbbbbbbb", "two … and …"],
    ["gsk_abcd1234, xai-abcd1234 and AIzaSyAbcdefgh1", "…, … and …"],
    ["GET /cgi-bin/x?access_token=82_ab-C&type=image", "GET /cgi-bin/x?access_token=…&type=image"],
    ['{"appid":"wx1","secret":"0123abcd"}', '{"appid":"wx1","secret":"…"}'],
  ])("takes the secret out of %p", (text, clean) => {
    expect(redact(text)).toBe(clean);
  });

  test("takes a password out of any text around it, however long it is", () => {
    const password = "x".repeat(2_000);
    const text = `({"url":"amqp://me:${password}@mq/a","b":"://c:d"})`;
    expect(redact(text)).toBe('({"url":"amqp://me:…@mq/a","b":"://c:d"})');
    // Beginnings without an end, which would each be followed to the end of the text.
    const many = "://a:".repeat(400_000);
    expect(redact(many)).toBe(many);
  });

  test("leaves what only looks similar", () => {
    const text = "task-force, sk-1, https://example.com/a:b@c is fine";
    expect(redact("task-force, sk-1")).toBe("task-force, sk-1");
    expect(redact(text)).toContain("https://example.com");
  });
});

describe("a secret that is known", () => {
  test.each([
    ["a long one, anywhere", "s3cret-key", "(xs3cret-keyx)", "(x…x)"],
    ["a short one by itself", "loc+l", "Incorrect key: loc+l.", "Incorrect key: …."],
    [
      "a short one, but not inside a word",
      "none",
      "none of the nonetheless, none-such",
      "… of the nonetheless, none-such",
    ],
    ["a letter not at all", "e", "The request is over.", "The request is over."],
    ["nothing not at all", "", "The request is over.", "The request is over."],
  ])("hides %s", (_what, secret, text, hidden) => {
    expect(withoutSecret(text, secret)).toBe(hidden);
  });
});
