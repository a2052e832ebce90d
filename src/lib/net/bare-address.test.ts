import { expect, test } from "bun:test";
import { isBareAddress } from "./bare-address.ts";

test.each([
  "https://p.test",
  "http://127.0.0.1:80/",
  "https://p.test/a/b",
  "https://[2001:db8::1]:1/a",
])("%s can have a path behind it", (text) => {
  expect(isBareAddress(text)).toBe(true);
});

test.each([
  ...["", "p.test", "ftp://p.test", "https://", "https://me@p.test", "https://:pw@p.test"],
  ...["https://p.test?", "https://p.test/a?", "https://p.test/a?b=c", "https://p.test?#"],
  ...["https://p.test#", "https://p.test/a#", "https://p.test/a#b"],
  ...[
    "https:\\\\p.test",
    "https://p.test/a\\b",
    "https://p.test/ ",
    " https://p.test",
    "https://p.t\nest",
  ],
])("%j cannot", (text) => {
  expect(isBareAddress(text)).toBe(false);
});
