// What a client says in `Host` is its own claim: it must never break an answer, nor show our insides.
import { describe, expect, test } from "bun:test";
import { headerOf, isWhole, RawClient } from "../../test/support/clients/raw-client.ts";
import { SILENT } from "../../test/support/logs.ts";
import { eventually } from "../../test/support/waiting.ts";
import { readConfig } from "../config/config.ts";
import type { Route } from "../lib/route.ts";
import { HttpServer } from "./server.ts";

const shown: Route = {
  method: "GET",
  path: "/shown",
  handle: async ({ url }) => Response.json({ path: url.pathname, host: url.host }),
};
const page: Route = { ...shown, path: "/page", hosts: "own" };
const broken: Route = {
  method: "GET",
  path: "/broken",
  handle() {
    throw new Error("secret insides");
  },
};

async function served<T>(work: (ask: (head: string) => Promise<string>) => Promise<T>): Promise<T> {
  const config = readConfig({
    FAREGATE_PORT: "0",
    FAREGATE_PUBLIC_URL: "https://gate.example.com/",
  });
  const parts = { config, log: SILENT, sockets: [], ready: async () => {} };
  const server = new HttpServer({ ...parts, routes: [shown, page, broken] });
  try {
    return await work(async (head) => {
      const client = await RawClient.connect(`http://127.0.0.1:${server.port}`);
      client.send(`${head}\r\n\r\n`);
      await eventually("there is an answer", () => isWhole(client.text));
      client.leave();
      return client.text;
    });
  } finally {
    await server.stop();
  }
}

const statusOf = (text: string) => Number(text.split(" ")[1]);
const bodyOf = (text: string) => JSON.parse(text.slice(text.indexOf("\r\n\r\n")));

const MALFORMED: readonly (readonly [string, string])[] = [
  ["an open bracket", "host: ["],
  ["nothing", "host: "],
  ["two words", "host: a b"],
  ["a name and a password", "host: user:word@example.com"],
  ["a path", "host: example.com/evil"],
  ["a question", "host: example.com?evil"],
  ["a fragment", "host: example.com#evil"],
  ["a backslash", "host: example.com\\evil"],
  ["markup", "host: <script>"],
  ["a list", "host: a,b"],
  ["a port that is none", "host: example.com:abc"],
  ["a port beyond all", "host: example.com:99999"],
  ["two ports", "host: example.com:80:80"],
  ["an escape", "host: %41"],
  ["letters beyond ASCII", "host: ü"],
  ["a number of too many parts", "host: 1.2.3.4.5"],
  ["a name that no name can be", "host: xn--a"],
  ["an address in half", "host: [::1"],
  ["more than any name has", `host: ${"x".repeat(300)}`],
  ["a second one", "host: a\r\nhost: b"],
  ["the same twice", "host: a\r\nHost: a"],
  ["a good one behind a bad one", "host: [\r\nhost: a"],
];

describe.each([
  ["a route", "/shown"],
  ["no route", "/nowhere"],
])("on %s", (_what, path) => {
  test.each(MALFORMED)("a Host of %s is a 400 that names it", async (_name, header) => {
    const answer = await served((ask) => ask(`GET ${path} HTTP/1.1\r\n${header}`));
    expect(statusOf(answer)).toBe(400);
    expect(headerOf(answer, "content-type")).toBe("application/json");
    expect(headerOf(answer, "x-request-id")).toMatch(/^req_/);
    expect(bodyOf(answer).error).toMatchObject({ code: "invalid_value", param: "host" });
    expect(answer).not.toContain("src/http");
  });
});

test.each([
  ["example.com", "example.com"],
  ["EXAMPLE.com:8080", "example.com:8080"],
  ["my_host", "my_host"],
  ["127.0.0.1:8080", "127.0.0.1:8080"],
  ["[::1]:8080", "[::1]:8080"],
])("a Host of %s is taken", async (host, seen) => {
  const answer = await served((ask) => ask(`GET /shown HTTP/1.1\r\nhost: ${host}`));
  expect(statusOf(answer)).toBe(200);
  expect(bodyOf(answer)).toEqual({ path: "/shown", host: seen });
});

test("whoever still speaks HTTP/1.0 need not say a host", async () => {
  const answers = await served(async (ask) => [
    await ask("GET /healthz HTTP/1.0"),
    await ask("GET /shown HTTP/1.0"),
    await ask("GET /nowhere HTTP/1.0"),
  ]);
  expect(answers.map(statusOf)).toEqual([200, 200, 404]);
});

test("what breaks says nothing of where", async () => {
  const answer = await served((ask) => ask("GET /broken HTTP/1.1\r\nhost: a"));
  expect(statusOf(answer)).toBe(500);
  expect(bodyOf(answer).error).toMatchObject({ code: "internal_error" });
  expect(answer).not.toContain("secret insides");
});

describe("a page of the console", () => {
  const statusAt = async (host: string, more = "") =>
    statusOf(await served((ask) => ask(`GET /page HTTP/1.1\r\nhost: ${host}${more}`)));

  test.each([
    "gate.example.com",
    "Gate.Example.com:443",
    "localhost:1",
    "127.0.0.1",
    "[::1]:80",
    "proxy",
  ])("is shown under %s", async (host) => {
    expect(await statusAt(host)).toBe(200);
  });

  test.each(["evil.example", "gate.example.com.evil.example", "x.gate.example.com", "1.evil"])(
    "is not shown under %s, which others can lead here",
    async (host) => {
      const answer = await served((ask) => ask(`GET /page HTTP/1.1\r\nhost: ${host}`));
      expect(statusOf(answer)).toBe(403);
      expect(bodyOf(answer).error.message).toContain("FAREGATE_PUBLIC_URL");
      // The API is for programs under any name, and so is a token.
      expect(statusOf(await served((ask) => ask(`GET /shown HTTP/1.1\r\nhost: ${host}`)))).toBe(
        200,
      );
      expect(await statusAt(host, "\r\nauthorization: Bearer x")).toBe(200);
    },
  );
});
