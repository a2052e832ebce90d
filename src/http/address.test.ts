import { describe, expect, test } from "bun:test";
import { clientAddress } from "./address.ts";

describe("clientAddress", () => {
  test.each([
    ["no proxy is trusted", "203.0.113.5", "1.1.1.1", [], "203.0.113.5"],
    ["the peer is no proxy", "203.0.113.5", "1.1.1.1", ["10.0.0.0/8"], "203.0.113.5"],
    ["one proxy", "10.0.0.1", "203.0.113.5", ["10.0.0.0/8"], "203.0.113.5"],
    ["what the client claims", "10.0.0.1", "6.6.6.6, 203.0.113.5", ["10.0.0.0/8"], "203.0.113.5"],
    ["a chain", "10.0.0.1", "203.0.113.5, 10.0.0.2,10.0.0.3", ["10.0.0.0/8"], "203.0.113.5"],
    ["only proxies", "10.0.0.1", "10.0.0.3, 10.0.0.2", ["10.0.0.0/8"], "10.0.0.3"],
    ["a proxy without the header", "10.0.0.1", null, ["10.0.0.0/8"], "10.0.0.1"],
    ["a mapped peer", "::ffff:10.0.0.1", "203.0.113.5", ["10.0.0.0/8"], "203.0.113.5"],
    ["a mapped client", "10.0.0.1", "::ffff:203.0.113.5", ["10.0.0.0/8"], "203.0.113.5"],
    ["IPv6", "::1", "2001:db8::7", ["::1"], "2001:db8::7"],
    ["a client with its port", "10.0.0.1", "203.0.113.5:4711", ["10.0.0.0/8"], "203.0.113.5"],
    [
      "a proxy with its port",
      "10.0.0.1",
      "203.0.113.7, 10.0.0.9:1234",
      ["10.0.0.0/8"],
      "203.0.113.7",
    ],
    ["IPv6 with its port", "::1", "[2001:db8::7]:4711", ["::1"], "2001:db8::7"],
    ["IPv6 in brackets", "::1", "[2001:db8::7]", ["::1"], "2001:db8::7"],
    ["a mapped one with its port", "::1", "[::ffff:203.0.113.5]:80", ["::1"], "203.0.113.5"],
    ["IPv6 that ends like a port", "::1", "2001:db8::7:4711", ["::1"], "2001:db8::7:4711"],
    ["nothing known", undefined, "1.1.1.1", ["0.0.0.0/0"], ""],
  ])("%s", (_name, peer, forwarded, trusted, address) => {
    expect(clientAddress(peer, forwarded, trusted)).toBe(address);
  });

  test.each(["garbage", "[10.0.0.2", "10.0.0.2:", "[garbage]:80", "10.0.0.256:80"])(
    "%s is no address, and never believed to be a proxy",
    (text) => {
      expect(clientAddress("10.0.0.1", `1.1.1.1, ${text}`, ["10.0.0.0/8"])).toBe(text);
    },
  );
});
