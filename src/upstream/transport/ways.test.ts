import { describe, expect, test } from "bun:test";
import { readConfig } from "../../config/config.ts";
import { isPlain, PlainRequests } from "./plain-requests.ts";
import { isPlainAddress, waysOf } from "./ways.ts";

describe("our own client", () => {
  test.each([
    ["is there by itself", {}, true],
    ["is not there where fetch is asked for", { FAREGATE_TRANSPORT: "fetch" }, false],
  ])("%s", (_name, env: Record<string, string>, isThere) => {
    expect(waysOf(readConfig(env)).http1 !== undefined).toBe(isThere);
  });

  test("is not asked for by any other word", () => {
    expect(() => readConfig({ FAREGATE_TRANSPORT: "http3" })).toThrow("auto, own, fetch");
  });

  test.each([
    ["http://127.0.0.1:1/v1", true],
    ["https://api.example.com/v1", true],
    ["https://user:word@api.example.com/v1", false],
    ["https://api.example.com/v1?version=2", false],
  ])("reaches %p: %p", (address, isReached) => {
    const ways = waysOf(readConfig({ FAREGATE_TRANSPORT: "own" }));
    expect(isPlainAddress(address, ways)).toBe(isReached);
  });

  test("reaches nobody behind a proxy but who is on this machine", () => {
    const ways = waysOf(readConfig({ HTTPS_PROXY: "http://proxy.test:3128" }));
    expect(isPlainAddress("http://api.example.com", ways)).toBe(false);
    expect(isPlainAddress("http://[::1]:8000/v1", ways)).toBe(true);
  });

  test("is used over TLS only where it is asked for", () => {
    const ways = waysOf(readConfig({}));
    expect(isPlainAddress("https://api.example.com", ways)).toBe(false);
    expect(isPlainAddress("http://api.example.com", ways)).toBe(true);
  });

  test("leaves TLS to fetch where certificates are not to be looked at", () => {
    const env = { FAREGATE_TRANSPORT: "own", NODE_TLS_REJECT_UNAUTHORIZED: "0" };
    const ways = waysOf(readConfig(env));
    expect(isPlainAddress("https://api.example.com", ways)).toBe(false);
    expect(isPlainAddress("http://api.example.com", ways)).toBe(true);
  });

  test.each([
    [{ "x-team": "blue", authorization: "Bearer sk-1" }, true],
    [{ Host: "elsewhere.example.com" }, false],
    [{ "Transfer-Encoding": "chunked" }, false],
    [{ connection: "close" }, false],
    [{ "x-team": "Zoë" }, false],
    [{ "x-team": "a\r\nx-evil: b" }, false],
    [{ "x team": "a" }, false],
  ])("writes the headers %p: %p", (headers: Record<string, string>, isWritten) => {
    expect(isPlain(headers)).toBe(isWritten);
  });
});

describe("a request", () => {
  const requests = new PlainRequests("https://v.test:8443/v1", new Headers({ "X-Team": "blue" }));
  const headOf = (text: string) => text.slice(0, text.indexOf("\r\n\r\n")).split("\r\n");

  test("has its place, what all have in common, its id and its length in bytes", () => {
    const { text, bytes } = requests.post("/chat/completions", "req_1", '"é"');
    expect(headOf(text)).toEqual([
      "POST /v1/chat/completions HTTP/1.1",
      "host: v.test:8443",
      "x-team: blue",
      "x-client-request-id: req_1",
      "content-length: 4",
    ]);
    expect(text).toEndWith('\r\n\r\n"é"');
    expect(bytes).toBe(Buffer.byteLength(text));
  });

  test("has the headers of one call, which stand above those of all", () => {
    for (const team of ["red", "green"]) {
      const extra = { "anthropic-beta": "b-1", "x-team": team };
      const lines = headOf(requests.post("/x", "req_1", "", extra).text);
      expect(lines.filter((line) => line.startsWith("x-team"))).toEqual([`x-team: ${team}`]);
      expect(lines).toContain("anthropic-beta: b-1");
    }
    expect(headOf(requests.post("/x", "req_1", "").text)).toContain("x-team: blue");
  });

  test("has its own path and headers, whatever the one before it had", () => {
    const calls = ["/a", "/b", "/b", "/a"].flatMap((path) => [
      { path, extra: undefined },
      { path, extra: { "x-mark": "m" } },
    ]);
    for (const [i, { path, extra }] of calls.entries()) {
      const lines = headOf(requests.post(path, `req_${i}`, "", extra).text);
      expect(lines[0]).toBe(`POST /v1${path} HTTP/1.1`);
      expect(lines.includes("x-mark: m")).toBe(extra !== undefined);
      expect(lines).toContain(`x-client-request-id: req_${i}`);
    }
  });

  test("is not made of headers that would be others", () => {
    const evil = () => requests.post("/x", "req_1", "", { "x-a": "b\r\nx-c: d" });
    expect(evil).toThrow(TypeError);
  });

  test.each([
    [
      "/models/gemini-3:streamGenerateContent?alt=sse",
      "/v1/models/gemini-3:streamGenerateContent?alt=sse",
    ],
    ["/models/a b\r\nx: y", "/v1/models/a%20bx:%20y"],
    ["/models/好", "/v1/models/%E5%A5%BD"],
    ["/../secret", "/secret"],
  ])("goes to %p as to %p, as an address would", (path, target) => {
    const { text } = requests.post(path, "req_1", "");
    expect(headOf(text)[0]).toBe(`POST ${target} HTTP/1.1`);
    const { pathname, search } = new URL(`https://v.test:8443/v1${path}`);
    expect(pathname + search).toBe(target);
  });
});
