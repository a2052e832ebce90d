import { describe, expect, test } from "bun:test";
import type { LookupFunction } from "node:net";
import {
  isPublicAddress,
  readWebhookUrl,
  safeLookup,
  WebhookAddressError,
} from "./webhook-address.ts";

const PUBLIC = ["1.1.1.1", "8.8.8.8", "172.15.0.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111"];
const PRIVATE = [
  "0.0.0.0",
  "10.1.2.3",
  "100.64.0.1",
  "127.0.0.1",
  "127.255.255.254",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.0.2.1",
  "192.168.1.1",
  "198.18.0.1",
  "224.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::127.0.0.1",
  "::ffff:127.0.0.1",
  "::ffff:7f00:1",
  "::ffff:10.0.0.1",
  "64:ff9b::7f00:1",
  "2001:db8::1",
  "2002:7f00:1::",
  "fc00::1",
  "fd12:3456::1",
  "fe80::1",
  "ff02::1",
];

/** A name server that knows one name. */
function naming(...addresses: string[]): LookupFunction {
  return (_name, _options, done) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );
}

function ask(lookup: LookupFunction, all: boolean): Promise<unknown> {
  return new Promise((resolve, reject) => {
    lookup("hooks.test", { all }, (failed, found) => (failed ? reject(failed) : resolve(found)));
  });
}

describe("an address that is called", () => {
  test.each(PUBLIC)("may be %s", (address) => {
    expect(isPublicAddress(address, false)).toBe(true);
    const host = address.includes(":") ? `[${address}]` : address;
    expect(readWebhookUrl(`https://${host}/hook`, false).pathname).toBe("/hook");
  });

  test.each(PRIVATE)("is never %s", (address) => {
    expect(isPublicAddress(address, false)).toBe(false);
    const host = address.includes(":") ? `[${address}]` : address;
    expect(() => readWebhookUrl(`https://${host}/hook`, false)).toThrow(WebhookAddressError);
  });

  test.each([
    "http://example.com/hook",
    "ftp://example.com/hook",
    "file:///etc/passwd",
    "example.com/hook",
    "",
    "https://",
    "https://user:pass@example.com/",
    "https://2130706433/",
    "https://0x7f.1/",
    "https://127.1/",
    "https://017700000001/",
    "https://①②⑦.0.0.1/",
    `https://example.com/${"a".repeat(2_048)}`,
  ])("is refused as %s", (text) => {
    expect(() => readWebhookUrl(text, false)).toThrow(WebhookAddressError);
  });

  test("may be this machine, unencrypted, only where that is allowed, and no other inside", () => {
    for (const host of ["127.0.0.1", "localhost", "[::1]"]) {
      expect(readWebhookUrl(`http://${host}:1/`, true).protocol).toBe("http:");
      expect(() => readWebhookUrl(`http://${host}:1/`, false)).toThrow(WebhookAddressError);
    }
    for (const host of ["10.0.0.1", "example.com", "[fe80::1]"]) {
      expect(() => readWebhookUrl(`http://${host}/`, true)).toThrow(WebhookAddressError);
    }
    expect(isPublicAddress("169.254.169.254", true)).toBe(false);
  });
});

describe("a name", () => {
  test("is followed when all its addresses are public", async () => {
    const found = await ask(safeLookup(naming("1.1.1.1", "2606:4700::1111"), false), true);
    expect(found).toEqual([
      { address: "1.1.1.1", family: 4 },
      { address: "2606:4700::1111", family: 6 },
    ]);
    expect(await ask(safeLookup(naming("1.1.1.1"), false), false)).toBe("1.1.1.1");
  });

  test.each([[["127.0.0.1"]], [["1.1.1.1", "10.0.0.1"]], [["::ffff:10.0.0.1"]], [[]]])(
    "that leads to %p is not",
    async (addresses: string[]) => {
      const lookup = safeLookup(naming(...addresses), false);
      await expect(ask(lookup, true)).rejects.toThrow(WebhookAddressError);
    },
  );

  test("that is not found is a failure of its own", async () => {
    const lookup = safeLookup((_name, _options, done) => done(new Error("no name"), ""), false);
    await expect(ask(lookup, true)).rejects.toThrow("no name");
  });
});
