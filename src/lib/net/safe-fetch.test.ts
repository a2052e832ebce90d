import { afterAll, describe, expect, test } from "bun:test";
import type { LookupFunction } from "node:net";
import { startUpgradingServer } from "../../../test/support/outside/upgrading-server.ts";
import { type AddressFilter, SafeFetchError, safeFetch } from "./safe-fetch.ts";

const asked: { path: string; host: string | null; method: string; body: string }[] = [];

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  idleTimeout: 0,
  async fetch(request) {
    const { pathname } = new URL(request.url);
    const { method } = request;
    asked.push({
      path: pathname,
      host: request.headers.get("host"),
      method,
      body: await request.text(),
    });
    const [, kind, rest = ""] = /^\/(\w+)(?:\/(.*))?$/.exec(pathname) ?? [];
    if (kind === "hop") {
      const left = Number(rest);
      const location = left > 1 ? `/hop/${left - 1}` : "/end";
      return new Response(null, { status: 302, headers: { location } });
    }
    if (kind === "to") {
      return new Response(null, { status: 302, headers: { location: decodeURIComponent(rest) } });
    }
    if (kind === "bytes") return new Response(new Uint8Array(Number(rest)));
    if (kind === "endless") return new Response(endless());
    if (kind === "silent") return new Promise(() => {});
    if (kind === "missing") return new Response("no", { status: 404 });
    return new Response("the end", { headers: { "content-type": "text/plain" } });
  },
});
const upgrading = startUpgradingServer();
afterAll(async () => {
  upgrading.close();
  await server.stop(true);
});

const ORIGIN = `http://127.0.0.1:${server.port}`;
const NAMED = `http://pictures.test:${server.port}`;

function endless(): ReadableStream {
  return new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(65_536)) });
}

/** A name server that gives one answer after the other, and then no more. */
function answering(...answers: string[][]): { lookup: LookupFunction; count: () => number } {
  let count = 0;
  const lookup: LookupFunction = (_name, _options, done) => {
    const addresses = answers[count] ?? [];
    count += 1;
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );
  };
  return { lookup, count: () => count };
}

const OPEN: AddressFilter = { allowPrivate: true };
const SHUT: AddressFilter = { allowPrivate: false };
const CALL = { bytesMax: 100_000, deadlineMs: 30_000, redirectsMax: 3 };

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

async function failureOf(work: Promise<unknown>): Promise<SafeFetchError> {
  const thrown = await work.then(
    () => undefined,
    (reason) => reason,
  );
  if (!(thrown instanceof SafeFetchError)) throw new Error(`not refused: ${thrown}`);
  return thrown;
}

describe("a safe fetch", () => {
  test("brings what an address answers", async () => {
    const answer = await safeFetch(`${ORIGIN}/end`, OPEN, CALL);
    expect(answer.status).toBe(200);
    expect(text(answer.bytes)).toBe("the end");
    expect(answer.headers["content-type"]).toContain("text/plain");
    expect((await safeFetch(`${ORIGIN}/missing`, OPEN, CALL)).status).toBe(404);
  });

  test("goes to the address that was judged, and keeps the name in its head", async () => {
    const { lookup, count } = answering(["127.0.0.1"], ["169.254.169.254"]);
    await safeFetch(`${NAMED}/end`, { ...OPEN, lookup }, CALL);
    expect(count()).toBe(1);
    expect(asked.at(-1)?.host).toBe(`pictures.test:${server.port}`);
  });

  test("sends a body and follows no redirect with it", async () => {
    const body = new TextEncoder().encode("你好");
    await safeFetch(`${ORIGIN}/end`, OPEN, { ...CALL, method: "POST", body });
    expect(asked.at(-1)).toMatchObject({ method: "POST", body: "你好" });
    const call = { ...CALL, method: "POST" as const, body };
    const failure = await failureOf(safeFetch(`${ORIGIN}/hop/1`, OPEN, call));
    expect([failure.reason, failure.sent]).toEqual(["redirects", true]);
  });
});

describe("a safe fetch is refused", () => {
  test.each([
    "ftp://example.com/a.png",
    "file:///etc/passwd",
    "//example.com/a.png",
    "gopher://127.0.0.1/",
    "http://user:pass@example.com/",
    `https://example.com/${"a".repeat(8_192)}`,
    "",
  ])("as no address: %s", async (address) => {
    const failure = await failureOf(safeFetch(address, OPEN, CALL));
    expect([failure.reason, failure.sent]).toEqual(["address_malformed", false]);
  });

  test.each([
    "http://127.0.0.1/",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://[::1]/",
    "http://[::ffff:7f00:1]/",
    "http://[64:ff9b::a9fe:a9fe]/",
    "http://169.254.169.254/latest/meta-data/",
    "http://100.100.100.200/",
    "http://0.0.0.0/",
  ])("as one inside: %s", async (address) => {
    const failure = await failureOf(safeFetch(address, SHUT, CALL));
    expect([failure.reason, failure.sent]).toEqual(["address_private", false]);
  });

  test("when any address of a name is inside", async () => {
    const before = asked.length;
    const { lookup } = answering(["1.1.1.1", "127.0.0.1"]);
    const failure = await failureOf(safeFetch(`${NAMED}/end`, { ...SHUT, lookup }, CALL));
    expect(failure.reason).toBe("address_private");
    expect(asked.length).toBe(before);
  });

  test("at the metadata of a cloud even where private networks are allowed", async () => {
    const failure = await failureOf(safeFetch("http://169.254.169.254/", OPEN, CALL));
    expect(failure.reason).toBe("address_private");
    const { lookup } = answering(["169.254.169.254"]);
    const named = await failureOf(safeFetch(NAMED, { ...OPEN, lookup }, CALL));
    expect(named.reason).toBe("address_private");
  });

  test("where nobody listens, with nothing sent", async () => {
    const closed = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
    const { port } = closed;
    await closed.stop(true);
    const failure = await failureOf(safeFetch(`http://127.0.0.1:${port}/`, OPEN, CALL));
    expect([failure.reason, failure.sent]).toEqual(["unreachable", false]);
  });
});

describe("an exempt address", () => {
  const filter: AddressFilter = { ...SHUT, isExempt: ({ origin }) => origin === ORIGIN };

  test("is called although it is inside, and only it", async () => {
    expect(text((await safeFetch(`${ORIGIN}/end`, filter, CALL)).bytes)).toBe("the end");
    const other = `http://127.0.0.1:${(server.port ?? 0) + 1}/`;
    expect((await failureOf(safeFetch(other, filter, CALL))).reason).toBe("address_private");
    const spelled = `http://localhost:${server.port}/end`;
    expect((await failureOf(safeFetch(spelled, filter, CALL))).reason).toBe("address_private");
  });

  test("does not lead elsewhere inside by a redirect", async () => {
    const target = encodeURIComponent("http://169.254.169.254/latest");
    const failure = await failureOf(safeFetch(`${ORIGIN}/to/${target}`, filter, CALL));
    expect(failure.reason).toBe("address_private");
    const { lookup } = answering(["127.0.0.1"]);
    const named = encodeURIComponent(`${NAMED}/end`);
    const away = safeFetch(`${ORIGIN}/to/${named}`, { ...filter, lookup }, CALL);
    expect((await failureOf(away)).reason).toBe("address_private");
  });
});

describe("redirects", () => {
  test("are followed up to their limit", async () => {
    const answer = await safeFetch(`${ORIGIN}/hop/3`, OPEN, CALL);
    expect(answer.url).toBe(`${ORIGIN}/end`);
    const failure = await failureOf(safeFetch(`${ORIGIN}/hop/4`, OPEN, CALL));
    expect(failure.reason).toBe("redirects");
  });

  test.each(["file:///etc/passwd", "data:text/plain,x", "http://a:b@example.com/"])(
    "to %s are refused",
    async (target) => {
      const address = `${ORIGIN}/to/${encodeURIComponent(target)}`;
      expect((await failureOf(safeFetch(address, OPEN, CALL))).reason).toBe("address_malformed");
    },
  );

  test("have their names looked up anew", async () => {
    const { lookup } = answering(["127.0.0.1"], ["169.254.169.254"]);
    const target = encodeURIComponent(`${NAMED}/end`);
    const work = safeFetch(`${NAMED}/to/${target}`, { ...OPEN, lookup }, CALL);
    expect((await failureOf(work)).reason).toBe("address_private");
  });
});

describe("an answer", () => {
  test("of exactly the limit passes, and one byte more does not", async () => {
    const call = { ...CALL, bytesMax: 70_000 };
    expect((await safeFetch(`${ORIGIN}/bytes/70000`, OPEN, call)).bytes.length).toBe(70_000);
    const failure = await failureOf(safeFetch(`${ORIGIN}/bytes/70001`, OPEN, call));
    expect(failure.reason).toBe("answer_too_large");
  });

  test("without an end is cut at the limit", async () => {
    const failure = await failureOf(safeFetch(`${ORIGIN}/endless`, OPEN, CALL));
    expect(failure.reason).toBe("answer_too_large");
  });

  test("that does not come is given up, its outcome unknown", async () => {
    const call = { ...CALL, deadlineMs: 50 };
    const failure = await failureOf(safeFetch(`${ORIGIN}/silent`, OPEN, call));
    expect([failure.reason, failure.sent]).toEqual(["deadline", true]);
  });

  test("of another protocol is a call that broke", async () => {
    const failure = await failureOf(safeFetch(upgrading.url, OPEN, CALL));
    expect([failure.reason, failure.sent]).toEqual(["broken", true]);
  });
});
