import { describe, expect, test } from "bun:test";
import { isInRanges, isRange, plainAddress } from "./networks.ts";

describe("isRange", () => {
  test.each(["10.0.0.0/8", "1.2.3.4", "0.0.0.0/0", "::1", "2001:db8::/32", "::/0"])(
    "%p is one",
    (range) => {
      expect(isRange(range)).toBe(true);
    },
  );

  test.each([
    "",
    "10.0.0.0/33",
    "10.0.0/8",
    "::1/129",
    "10.0.0.0/",
    "10.0.0.0/x",
    "10.0.0.0/-1",
    "localhost",
    "1.2.3.4.5",
  ])("%p is not", (range) => {
    expect(isRange(range)).toBe(false);
  });
});

describe("isInRanges", () => {
  test.each([
    ["10.1.2.3", ["10.0.0.0/8"], true],
    ["11.1.2.3", ["10.0.0.0/8"], false],
    ["192.168.1.127", ["192.168.1.0/25"], true],
    ["192.168.1.128", ["192.168.1.0/25"], false],
    ["1.2.3.4", ["1.2.3.4"], true],
    ["1.2.3.5", ["1.2.3.4"], false],
    ["1.2.3.5", ["0.0.0.0/0"], true],
    ["2001:db8:1::5", ["2001:db8::/32"], true],
    ["2001:db9::5", ["2001:db8::/32"], false],
    ["::1", ["::1"], true],
    ["::ffff:10.1.2.3", ["10.0.0.0/8"], true],
    ["10.1.2.3", ["2001:db8::/32", "10.0.0.0/8"], true],
    ["10.1.2.3", [], false],
    ["", ["0.0.0.0/0"], false],
    ["not an address", ["0.0.0.0/0"], false],
    ["10.1.2.3", ["nonsense"], false],
  ])("%p in %p: %p", (address, ranges, inside) => {
    expect(isInRanges(address, ranges)).toBe(inside);
  });
});

describe("plainAddress", () => {
  test.each([
    ["::ffff:10.0.0.1", "10.0.0.1"],
    ["::ffff:zz", "::ffff:zz"],
    ["10.0.0.1", "10.0.0.1"],
    ["2001:db8::1", "2001:db8::1"],
  ])("%p is %p", (address, plain) => {
    expect(plainAddress(address)).toBe(plain);
  });
});
