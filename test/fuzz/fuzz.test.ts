// Every route that is served, by everybody who may be known, with whatever anybody may send. Somebody else
// is answered all the while; nothing is our mistake, nothing hangs, nothing grows.
import { expect, spyOn, test } from "bun:test";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { OperatorLinks } from "../../src/accounts/people/operator-links.ts";
import { peopleStores } from "../../src/accounts/tables/open.ts";
import { systemClock } from "../../src/lib/clock.ts";
import type { Endpoint } from "../../src/protocols/wire.ts";
import { SQLITE } from "../store/engines.ts";
import { type Browser, bodyOf, newOperator } from "../support/browser.ts";
import { count, isFull } from "../support/counts.ts";
import { Parts, perFile } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";
import { wholeApp } from "../support/houses/whole-app.ts";
import { Exchange, type Outcome } from "./exchange.ts";
import { Health } from "./health.ts";
import { hostileBodies } from "./hostile-bodies.ts";
import { type Credentials, type FuzzInput, type FuzzRoute, fuzzInputs } from "./inputs.ts";

const INPUTS = count(300, 200_000);
/** So many clients send at once. */
const CLIENTS = 6;
/** A server that takes this long hangs; one that is only slow on a busy machine does not. */
const HANGS_MS = 120_000;
const MEGABYTE = 1024 * 1024;

/** What is really served, asked of the server itself. */
async function servedRoutes(): Promise<FuzzRoute[]> {
  await using parts = new Parts();
  const serving = spyOn(Bun, "serve");
  await wholeApp(parts, await SQLITE.site(parts));
  const options = serving.mock.calls.at(-1)?.[0] as { routes?: Record<string, object> };
  serving.mockRestore();
  return Object.entries(options.routes ?? {}).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method, path })),
  );
}

const house = await perFile(async (parts) => {
  const { server } = await serve(parts, {
    // Its memory is looked at, and its loop is nobody else's.
    process: true,
    settings: {
      FAREGATE_SANDBOX: "on",
      FAREGATE_SIGN_IN_ATTEMPTS_MAX: "1000000",
      FAREGATE_DRAFT_CALLS_PER_MINUTE: "1000000",
      FAREGATE_DRAFT_CALLS_PER_ACCOUNT: "1000000",
    },
  });
  const url = new URL(server.url).origin;
  const link = await server.beside(({ store }) =>
    new OperatorLinks(peopleStores(store.sql, systemClock).links, systemClock).create(),
  );
  const operator = await newOperator(url, link, "operator@example.com");
  const health = parts.use(new Health(url));
  return { server, url, operator, health };
});

function cookieOf({ cookies }: Browser): string {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
}

async function someoneKnown(): Promise<{ credentials: Credentials; ids: string[] }> {
  const { server, url, operator } = house;
  const rich = await server.account("1000", "--rpm", "0");
  const poor = await server.account("0", "--rpm", "0", "--models", "sandbox-mini-1.0");
  const token = await bodyOf(operator.post("/api/operator/tokens", { name: "fuzz" }));
  const session = [`cookie: ${cookieOf(operator)}`, `origin: ${url}`, "x-faregate-csrf: 1"];
  return {
    ids: [rich.accountId, rich.keyId, poor.accountId, "sandbox-1.0:generateContent", "sandbox-1.0"],
    credentials: [
      [],
      ["authorization: Bearer sk-fg-nobody"],
      [`authorization: Bearer ${rich.key}`],
      [`authorization: Bearer ${rich.key}`],
      [`x-api-key: ${poor.key}`, `x-goog-api-key: ${poor.key}`],
      [`authorization: Bearer ${String(token.token)}`],
      session,
      session,
    ],
  };
}

/** Resident memory of the server, in megabytes. */
function memoryOf(pid: number): number {
  const [, kilobytes = "0"] =
    /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}

async function inTime(outcome: Promise<Outcome>, what: string): Promise<Outcome> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`no answer to ${what}`)), HANGS_MS);
  try {
    return await Promise.race([outcome, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** One request, and that the answer to it is no mistake of ours. */
async function tryOut(exchange: Exchange, { route, bytes, whole }: FuzzInput): Promise<void> {
  const shown = `${route.method} ${route.path}: ${Buffer.from(bytes).toString("latin1").slice(0, 2_000)}`;
  if (!whole) {
    // The server may wait for the rest; what it says before that has to be right all the same.
    const outcome = await Promise.race([
      exchange.send(bytes),
      Bun.sleep(5).then(() => "closed" as const),
    ]);
    exchange.close();
    if (outcome !== "closed" && outcome.status === 500) throw new Error(`500 to ${shown}`);
    return;
  }
  const outcome = await inTime(exchange.send(bytes), shown);
  if (outcome === "closed") return;
  if (outcome.status === 500) throw new Error(`500 to ${shown}`);
}

test(
  `no input of ${INPUTS} breaks a route, hangs or holds up somebody else`,
  async () => {
    const { url, server, health } = house;
    const routes = await servedRoutes();
    const { credentials, ids } = await someoneKnown();
    const inputs = fuzzInputs(routes, credentials, ids);
    const each = Math.ceil(INPUTS / CLIENTS);
    let sent = 0;
    let early = 0;
    const client = async () => {
      const exchange = new Exchange(url);
      const property = fc.asyncProperty(inputs, async (input) => {
        await tryOut(exchange, input);
        sent++;
        if (sent === Math.floor(INPUTS / 3)) early = memoryOf(server.pid);
      });
      try {
        await fc.assert(property, { numRuns: each, endOnFailure: true });
      } finally {
        exchange.close();
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    const { longestMs, asked } = await health.look();
    const late = memoryOf(server.pid);
    console.log(
      `${sent} inputs to ${routes.length} routes; /healthz answered ${asked} times, ` +
        `the longest in ${longestMs.toFixed(0)} ms; ${early} MB after a third, ${late} MB at the end`,
    );
    expect(sent).toBeGreaterThanOrEqual(INPUTS);
    expect(asked).toBeGreaterThan(10);
    expect(late).toBeLessThan(2 * early + 200);
  },
  { timeout: 3_600_000 },
);

const PATHS: Readonly<Record<Endpoint | "drafts", readonly string[]>> = {
  drafts: ["/v1/drafts:preview", "/v1/drafts"],
  chat: ["/v1/chat/completions", "/v1/estimate"],
  responses: ["/v1/responses", "/v1/responses/input_tokens", "/v1/responses/compact"],
  messages: ["/v1/messages", "/v1/messages/count_tokens"],
  gemini: ["/v1beta/models/sandbox-1.0:generateContent", "/v1beta/models/sandbox-1.0:countTokens"],
};

/** What every wire is sent is left to a third of them, in turns; what only some can be sent goes to those. */
function hostileByWire() {
  const wires = Object.keys(PATHS) as (keyof typeof PATHS)[];
  const all = wires.flatMap((wire) => hostileBodies(wire).map((body) => ({ wire, ...body })));
  if (isFull) return all;
  return [...Map.groupBy(all, ({ name }) => name).values()].flatMap((same, turn) =>
    same.length < wires.length ? same : same.filter((_, at) => (at + turn) % 3 === 0),
  );
}

test(
  "no body that is made to be slow holds the loop for long",
  async () => {
    const { url, server, health } = house;
    const { key } = await server.account("1000", "--rpm", "0");
    const bytes = count(MEGABYTE / 128, 4 * MEGABYTE);
    let worst = { longestMs: 0, what: "" };
    let sent = 0;
    for (const { wire, name, make } of hostileByWire()) {
      const body = make(bytes).replace('"model":"m"', '"model":"sandbox-1.0"');
      for (const path of isFull ? PATHS[wire] : PATHS[wire].slice(0, 1)) {
        await health.look();
        const response = await fetch(url + path, {
          method: "POST",
          headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
          body,
        });
        await response.arrayBuffer();
        expect([200, 400, 413, 429]).toContain(response.status);
        const { longestMs } = await health.look();
        sent++;
        if (longestMs > worst.longestMs) worst = { longestMs, what: `${path}: ${name}` };
      }
    }
    console.log(
      `${sent} bodies of ${bytes} bytes; the longest that somebody else waited: ` +
        `${worst.longestMs.toFixed(0)} ms (${worst.what})`,
    );
  },
  { timeout: 3_600_000 },
);
