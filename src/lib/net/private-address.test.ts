import { describe, expect, test } from "bun:test";
import type { LookupFunction } from "node:net";
import { mayReach, safeLookup } from "./private-address.ts";

const OWN = [
  "127.0.0.1",
  "10.1.2.3",
  "100.64.0.1",
  "172.16.0.1",
  "192.168.1.1",
  "198.18.0.7",
  "::1",
  "fd12:3456::1",
  "::ffff:10.0.0.1",
];
const NEVER = [
  "0.0.0.0",
  "169.254.169.254",
  "100.100.100.200",
  "168.63.129.16",
  "fd00:ec2::254",
  "192.0.2.1",
  "224.0.0.1",
  "255.255.255.255",
  "::",
  "::ffff:169.254.169.254",
  "::ffff:7f00:1",
  "64:ff9b::7f00:1",
  "::ffff:0:7f00:1",
  "5f00::1",
  "9000::1",
  "64:ff9b::a9fe:a9fe",
  "2002:7f00:1::",
  "fe80::1",
  "ff02::1",
  "not an address",
  "",
];

describe("an address", () => {
  test.each(OWN)(
    "of an own network such as %s is reached only where that is allowed",
    (address) => {
      expect(mayReach(address, "own-networks")).toBe(true);
      expect(mayReach(address, "none")).toBe(false);
    },
  );

  test.each(NEVER)("such as %s is never reached", (address) => {
    expect(mayReach(address, "own-networks")).toBe(false);
    expect(mayReach(address, "loopback")).toBe(false);
    expect(mayReach(address, "none")).toBe(false);
  });

  test.each(["1.1.1.1", "172.32.0.1", "198.20.0.1", "2606:4700::1111"])(
    "of the internet such as %s is reached",
    (address) => {
      expect(mayReach(address, "none")).toBe(true);
      expect(mayReach(address, "own-networks")).toBe(true);
    },
  );

  test("of this machine is not one of its neighbour's", () => {
    expect(mayReach("127.0.0.1", "loopback")).toBe(true);
    expect(mayReach("::1", "loopback")).toBe(true);
    expect(mayReach("10.0.0.1", "loopback")).toBe(false);
  });
});

describe("a name", () => {
  const named: LookupFunction = (_name, _options, done) =>
    done(null, [
      { address: "1.1.1.1", family: 4 },
      { address: "169.254.169.254", family: 4 },
    ]);

  test("with one address inside is refused in the asker's words", () => {
    const { promise, resolve } = Promise.withResolvers<Error | null>();
    safeLookup(named, "own-networks", () => new Error("no entry"))("x.test", {}, resolve);
    return expect(promise).resolves.toThrow("no entry");
  });
});
