// The loop that a request runs through, against real servers that misbehave as they are told.
import { afterEach, describe, expect, test } from "bun:test";
import { answerOf } from "../../test/support/vendors/opened-exchange.ts";
import { type Model, shippedCatalogue } from "../catalogue/models.ts";
import { readConfig } from "../config/config.ts";
import { TextThreads } from "../lib/text/text-threads.ts";
import { Watchdog } from "../lib/threads/watchdog.ts";
import { faultOfVendor } from "../protocols/faults.ts";
import { readGeminiFault } from "../protocols/gemini/faults.ts";
import { readMessagesFault } from "../protocols/messages/faults.ts";
import { ResponsesStream } from "../protocols/responses/answer/stream.ts";
import type { ChannelSettings } from "./channels/channel-settings.ts";
import { openChannel } from "./channels/channels.ts";
import { Exchange } from "./exchange.ts";
import { Probes } from "./probes.ts";
import type { ReadFault, VendorRefusal } from "./refusal.ts";
import { Routes } from "./routing.ts";
import { AnswerBudget } from "./transport/answer-budget.ts";
import { waysOf } from "./transport/ways.ts";

const { limits: LIMITS } = readConfig({
  FAREGATE_CHANNEL_ATTEMPTS_MIN: "4",
  FAREGATE_CHANNEL_COOLDOWN_MS: "15000",
});
const CATALOGUE = shippedCatalogue();
const MODEL = CATALOGUE.find("gpt-5.4") as Model;
const SETTINGS: ChannelSettings = {
  id: "a",
  vendor: "openai",
  name: "A",
  baseUrl: undefined,
  keys: ["sk-secret-of-vendor-0001"],
  protocols: [],
  weight: 1,
  priority: 0,
  models: "vendor",
  enabled: true,
  onDisconnect: undefined,
  headers: {},
};

const servers: Bun.Server<undefined>[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop(true);
});

/** A vendor that answers as the test says, and what it was asked. */
function vendor(answer: (request: Request) => Response) {
  const state = { answer, paths: [] as string[], keys: [] as (string | null)[] };
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      state.paths.push(new URL(request.url).pathname);
      state.keys.push(request.headers.get("authorization"));
      return state.answer(request);
    },
  });
  servers.push(server);
  return Object.assign(state, { baseUrl: `http://127.0.0.1:${server.port}/v1` });
}

const fine = () => Response.json({ output_text: "fine" });
const down = () => Response.json({ error: { message: "down" } }, { status: 500 });

/** What an answer says, be it whole or a stream, which may begin with a failure. */
function textOf(answer: string): string {
  if (!answer.startsWith("data: ")) return JSON.parse(answer).output_text;
  const stream = new ResponsesStream({ model: MODEL.id, echo: {} });
  stream.push(new TextEncoder().encode(answer));
  throw stream.failure;
}

const DIRECT = waysOf(readConfig({}));

function gateway(channels: Partial<ChannelSettings>[], limits = LIMITS) {
  const time = { nowMs: 1_000_000 };
  const clock = () => time.nowMs;
  const opened = channels.map((each) => openChannel({ ...SETTINGS, ...each }, DIRECT));
  const routes = new Routes(CATALOGUE, opened, limits, clock, () => 0);
  const watchdog = new Watchdog(clock, 3_600_000);
  const answers = new AnswerBudget(limits);
  const tools = { limits, watchdog, threads: new TextThreads(), answers };
  /** What the client hears: a text, or the status of a fault. */
  const ask = async (readFault: ReadFault = faultOfVendor): Promise<string | number> => {
    const plan = routes.plan(MODEL, { wire: "responses" });
    let refusal: VendorRefusal | undefined;
    for (let attempt = plan.next(); attempt; attempt = plan.next()) {
      const exchange = new Exchange(attempt, false, "acct_1", tools);
      const { endpoint } = attempt;
      const call = { endpoint, path: "/responses", body: "{}", stream: false, requestId: "req_1" };
      try {
        const response = await answerOf(exchange, { ...call, sandboxFault: undefined }, readFault);
        const text = await exchange.text(response);
        const said = textOf(text);
        attempt.succeeded();
        return said;
      } catch (thrown) {
        refusal = attempt.failed(thrown);
        if (!refusal?.retryable) break;
      }
    }
    return (refusal?.fault ?? plan.unavailable()).status;
  };
  return { routes, ask, time, probes: new Probes(routes, limits, clock) };
}

describe("with two channels", () => {
  test("of which one fails every call nobody sees it, and it is used again when it is back", async () => {
    const bad = vendor(down);
    const good = vendor(fine);
    const { ask, routes, time } = gateway([
      { id: "bad", priority: 1, baseUrl: bad.baseUrl },
      { id: "good", baseUrl: good.baseUrl },
    ]);
    for (let i = 0; i < 12; i++) expect(await ask()).toBe("fine");
    expect([bad.paths.length, good.paths.length]).toEqual([4, 12]);
    expect(routes.status()[0]?.state).toBe("cooled");
    bad.answer = fine;
    time.nowMs += 15_000;
    expect(await ask()).toBe("fine");
    expect([bad.paths.length, routes.status()[0]?.state]).toEqual([5, "ok"]);
  });

  test.each([
    ["lies about gzip", () => new Response("{}", { headers: { "content-encoding": "gzip" } })],
    ["points elsewhere", () => Response.redirect("http://127.0.0.1:1/", 307)],
    ["has no such model", () => new Response("not found", { status: 404 })],
    ["is busy", () => new Response("{}", { status: 429 })],
    ["refuses the key", () => new Response("{}", { status: 401 })],
  ])("the other one answers when the first %s", async (_name, answer) => {
    const { ask } = gateway([
      { id: "bad", priority: 1, baseUrl: vendor(answer).baseUrl },
      { id: "good", baseUrl: vendor(fine).baseUrl },
    ]);
    expect(await ask()).toBe("fine");
  });

  test("the other one answers when the first breaks the connection", async () => {
    const broken = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: { data: (socket) => void socket.terminate() },
    });
    const { ask, routes } = gateway([
      { id: "bad", priority: 1, baseUrl: `http://127.0.0.1:${broken.port}/v1` },
      { id: "good", baseUrl: vendor(fine).baseUrl },
    ]);
    expect(await ask()).toBe("fine");
    expect(routes.status()[0]?.lastError?.kind).toBe("unreachable");
    broken.stop(true);
  });

  test("the client's own mistake is not sent twice", async () => {
    const bad = () => Response.json({ error: { message: "Bad image." } }, { status: 400 });
    const second = vendor(fine);
    const { ask } = gateway([
      { id: "first", priority: 1, baseUrl: vendor(bad).baseUrl },
      { id: "second", baseUrl: second.baseUrl },
    ]);
    expect(await ask()).toBe(400);
    expect(second.paths).toEqual([]);
  });
});

describe("with two channels, of which one calls it a bad request that its account is at fault", () => {
  const NO_MONEY = {
    type: "invalid_request_error",
    message:
      "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.",
  };
  const NOT_FROM_HERE = {
    code: 400,
    status: "FAILED_PRECONDITION",
    message: "User location is not supported for the API use.",
  };
  test.each([
    ["Anthropic", readMessagesFault, NO_MONEY],
    ["Google", readGeminiFault, NOT_FROM_HERE],
  ])("the other one answers, and the key is out: %s", async (_name, readFault, error) => {
    const empty = vendor(() => Response.json({ error }, { status: 400 }));
    const good = vendor(fine);
    const { ask, routes } = gateway([
      { id: "empty", priority: 1, baseUrl: empty.baseUrl },
      { id: "good", baseUrl: good.baseUrl },
    ]);
    for (let i = 0; i < 3; i++) expect(await ask(readFault)).toBe("fine");
    expect([empty.paths.length, good.paths.length]).toEqual([1, 3]);
    expect(routes.status()[0]).toMatchObject({
      state: "refused",
      lastError: { kind: "credential", status: 400, message: `400 ${error.message}` },
      credentials: [{ state: "refused" }],
    });
  });
});

/** How two vendors say that a request alone is more than the account there may send in a minute. */
const TOO_LARGE = [
  [
    "OpenAI",
    429,
    "Request too large for gpt-5.4 in organization org-ours on tokens per min (TPM): Limit 30000, Requested 61337.",
  ],
  [
    "OpenAI, within a stream",
    200,
    "Request too large for gpt-5.4 in organization org-ours on tokens per min (TPM): Limit 30000, Requested 61337.",
  ],
  [
    "Groq",
    413,
    "Request too large for model `gpt-5.4` in organization `org_ours` service tier `on_demand` on tokens per minute (TPM): Limit 6000, Requested 7462, please reduce your message size and try again.",
  ],
] as const;

describe("with a request that is more than the account at a vendor may send in a minute", () => {
  const refusing = (status: number, message: string) => () => {
    const error = { message, type: "tokens", code: "rate_limit_exceeded" };
    if (status !== 200) {
      const headers = { "x-ratelimit-remaining-tokens": "6000" };
      return Response.json({ error }, { status, headers });
    }
    const failed = { type: "response.failed", response: { status: "failed", error } };
    const headers = { "content-type": "text/event-stream" };
    return new Response(`data: ${JSON.stringify(failed)}\n\n`, { headers });
  };

  test.each(TOO_LARGE)("another vendor is asked: %s", async (_name, status, message) => {
    const small = vendor(refusing(status, message));
    const { ask } = gateway([
      { id: "small", priority: 1, baseUrl: small.baseUrl },
      { id: "large", baseUrl: vendor(fine).baseUrl },
    ]);
    expect(await ask()).toBe("fine");
    expect(small.paths).toHaveLength(1);
  });

  test.each(TOO_LARGE)(
    "neither key nor channel rests for it: %s",
    async (_name, status, message) => {
      const only = vendor(refusing(status, message));
      const { ask, routes } = gateway([{ baseUrl: only.baseUrl }]);
      only.answer = fine;
      expect(await ask()).toBe("fine");
      only.answer = refusing(status, message);
      for (let i = 0; i < 12; i++) expect(await ask()).toBe(400);
      expect(routes.status()[0]).toMatchObject({
        state: "ok",
        faults: 0,
        lastError: { kind: "rate", message: expect.stringContaining(message) },
        credentials: [{ state: "ok" }],
      });
      only.answer = fine;
      expect(await ask()).toBe("fine");
    },
  );
});

describe("with two keys", () => {
  test("one that is refused is used once, and never shown", async () => {
    const keys = ["sk-secret-dead-1111", "sk-secret-live-2222"];
    const { baseUrl, ...seen } = vendor((request) => {
      const key = request.headers.get("authorization") ?? "";
      if (!key.includes("dead")) return fine();
      return Response.json({ error: { message: `Incorrect key: ${key}` } }, { status: 401 });
    });
    const { ask, routes } = gateway([{ keys, baseUrl }]);
    for (let i = 0; i < 3; i++) expect(await ask()).toBe("fine");
    expect(seen.keys.filter((key) => key?.includes("dead"))).toHaveLength(1);
    const status = routes.status();
    expect(status[0]?.credentials.map(({ state }) => state)).toEqual(["refused", "ok"]);
    expect(JSON.stringify(status)).toContain("Incorrect key");
    expect(JSON.stringify(status)).not.toContain("secret");
  });
});

describe("a channel that fails once", () => {
  const keys = ["sk-secret-of-one-1111", "sk-secret-of-two-2222"];
  const status = (code: number, headers: Record<string, string> = {}) => {
    return () => new Response("{}", { status: code, headers });
  };

  /** A vendor that gives these answers, and from then on what is fine. */
  function failing(...answers: (() => Response)[]) {
    return vendor(() => (answers.shift() ?? fine)());
  }

  test.each([500, 502, 503, 504, 529])("with %d is asked again at once", async (code) => {
    const only = failing(status(code));
    const { ask, routes } = gateway([{ baseUrl: only.baseUrl }]);
    expect([await ask(), only.paths.length]).toEqual(["fine", 2]);
    expect(routes.status()[0]).toMatchObject({ state: "ok", attempts: 2, faults: 1 });
  });

  test("by breaking the connection is asked again at once", async () => {
    let calls = 0;
    const breaking = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: {
        data(socket) {
          calls += 1;
          if (calls === 1) socket.terminate();
          else socket.end('HTTP/1.1 200 OK\r\ncontent-length: 22\r\n\r\n{"output_text":"fine"}');
        },
      },
    });
    const { ask } = gateway([{ baseUrl: `http://127.0.0.1:${breaking.port}/v1` }]);
    expect([await ask(), calls]).toEqual(["fine", 2]);
    breaking.stop(true);
  });

  test("is asked with another key where it has one, and before other channels", async () => {
    const first = failing(down);
    const second = vendor(fine);
    const { ask } = gateway([
      { id: "first", priority: 1, keys, baseUrl: first.baseUrl },
      { id: "second", baseUrl: second.baseUrl },
    ]);
    expect(await ask()).toBe("fine");
    expect(first.keys).toEqual(keys.map((key) => `Bearer ${key}`));
    expect(second.paths).toEqual([]);
  });

  test("and once more is left for the next channel, with both faults counted", async () => {
    const first = failing(down, down);
    const second = vendor(fine);
    const { ask, routes } = gateway([
      { id: "first", priority: 1, baseUrl: first.baseUrl },
      { id: "second", baseUrl: second.baseUrl },
    ]);
    expect([await ask(), first.paths.length, second.paths.length]).toEqual(["fine", 2, 1]);
    expect(routes.status()[0]).toMatchObject({ attempts: 2, faults: 2 });
  });

  test("and failed lately is no single fault: the next channel is asked at once", async () => {
    const first = failing(down, down, down);
    const second = vendor(fine);
    const { ask } = gateway([
      { id: "first", priority: 1, baseUrl: first.baseUrl },
      { id: "second", baseUrl: second.baseUrl },
    ]);
    for (let i = 0; i < 2; i++) expect(await ask()).toBe("fine");
    expect([first.paths.length, second.paths.length]).toEqual([3, 2]);
  });

  test("and is the only one is asked again even if it failed lately", async () => {
    const only = failing(down, down, down);
    const { ask } = gateway([{ baseUrl: only.baseUrl }]);
    expect([await ask(), await ask(), only.paths.length]).toEqual([503, "fine", 4]);
  });

  test.each([
    ["a wish to be left alone", status(503, { "retry-after": "7" })],
    ["a redirect", status(307, { location: "http://127.0.0.1:1/" })],
    ["a conflict", status(409)],
    ["no such model", status(404)],
    [
      "an answer that breaks off",
      () => new Response("{", { headers: { "content-encoding": "gzip" } }),
    ],
  ])("by %s is not asked again", async (_name, answer) => {
    const only = failing(answer);
    const { ask } = gateway([{ baseUrl: only.baseUrl }]);
    expect([await ask(), only.paths.length]).toEqual([503, 1]);
  });

  test("is not asked again where retries are switched off, or those of a channel", async () => {
    for (const setting of ["FAREGATE_RETRIES_MAX", "FAREGATE_REPEATS_MAX"]) {
      const only = failing(down);
      const { ask } = gateway([{ baseUrl: only.baseUrl }], readConfig({ [setting]: "0" }).limits);
      expect([setting, await ask(), only.paths.length]).toEqual([setting, 503, 1]);
    }
  });

  test("while all retries are taken is not asked again", async () => {
    const { limits: none } = readConfig({
      FAREGATE_RETRY_BUDGET_MIN: "0",
      FAREGATE_RETRY_BUDGET_PERCENT: "0",
    });
    const first = failing(down);
    const second = vendor(fine);
    const channels = [
      { id: "first", priority: 1, baseUrl: first.baseUrl },
      { id: "second", baseUrl: second.baseUrl },
    ];
    const { ask } = gateway(channels, none);
    // Moving to a channel that is well costs nothing.
    expect([await ask(), first.paths.length, second.paths.length]).toEqual(["fine", 1, 1]);
  });
});

describe("a vendor that is down", () => {
  test("is asked beside the traffic whether it is back", async () => {
    const only = vendor(down);
    const { ask, probes, routes, time } = gateway([{ baseUrl: only.baseUrl }]);
    for (let i = 0; i < 4; i++) expect(await ask()).toBe(503);
    expect(routes.status()[0]?.state).toBe("cooled");
    only.paths.length = 0;
    expect(await ask()).toBe(503);
    expect(only.paths).toEqual([]);
    time.nowMs += 10_000;
    await probes.probe();
    expect(routes.status()[0]).toMatchObject({ state: "cooled", cooledUntilMs: 1_015_000 });
    only.answer = (request) => (request.method === "GET" ? Response.json({ data: [] }) : fine());
    await probes.probe();
    expect(routes.status()[0]?.state).toBe("trial");
    expect(await ask()).toBe("fine");
    expect(routes.status()[0]?.state).toBe("ok");
    await probes.probe();
    expect(only.paths).toEqual(["/v1/models", "/v1/models", "/v1/responses"]);
  });
});

describe("a vendor that refuses its only key", () => {
  const refusing = () => Response.json({ error: { message: "Incorrect key" } }, { status: 401 });

  test("is asked about it with growing pauses, and serves again once it is taken", async () => {
    const only = vendor(refusing);
    const { ask, probes, routes, time } = gateway([{ baseUrl: only.baseUrl }]);
    await ask();
    const { fault, headers } = routes.plan(MODEL, { wire: "responses" }).unavailable();
    expect([fault, headers, routes.canServe(MODEL)]).toEqual(["model_unavailable", {}, false]);
    only.paths.length = 0;
    const askedAt: number[] = [];
    const start = time.nowMs;
    for (let minute = 1; minute <= 16; minute++) {
      time.nowMs = start + minute * 60_000;
      const before = only.paths.length;
      await probes.probe();
      if (only.paths.length > before) askedAt.push(minute);
    }
    expect(askedAt).toEqual([1, 3, 7, 15]);
    expect(new Set(only.paths)).toEqual(new Set(["/v1/models"]));
    only.answer = (request) => (request.method === "GET" ? Response.json({ data: [] }) : fine());
    time.nowMs = start + 31 * 60_000;
    await probes.probe();
    expect(routes.canServe(MODEL)).toBe(true);
    expect(await ask()).toBe("fine");
    expect(routes.status()[0]).toMatchObject({ state: "ok", credentials: [{ state: "ok" }] });
  });

  test("though it lists its models to it is not asked more often for that", async () => {
    const only = vendor((request) =>
      request.method === "GET" ? Response.json({ data: [] }) : refusing(),
    );
    const { ask, probes, routes, time } = gateway([{ baseUrl: only.baseUrl }]);
    const pauses: number[] = [];
    for (let i = 0; i < 4; i++) {
      await ask();
      const until = routes.status()[0]?.credentials[0]?.cooledUntilMs ?? 0;
      pauses.push((until - time.nowMs) / 60_000);
      time.nowMs = until;
      await probes.probe();
    }
    expect(pauses).toEqual([1, 2, 4, 8]);
  });

  test.each([500, 503, 429])(
    "is asked at the same pace while %d says nothing of it",
    async (status) => {
      const only = vendor((request) =>
        request.method === "GET" ? new Response("{}", { status }) : refusing(),
      );
      const { ask, probes, routes, time } = gateway([{ baseUrl: only.baseUrl }]);
      await ask();
      const askedAt: number[] = [];
      const start = time.nowMs;
      only.paths.length = 0;
      for (let minute = 1; minute <= 5; minute++) {
        time.nowMs = start + minute * 60_000;
        const before = only.paths.length;
        await probes.probe();
        if (only.paths.length > before) askedAt.push(minute);
      }
      expect(askedAt).toEqual([1, 2, 3, 4, 5]);
      expect(routes.canServe(MODEL)).toBe(false);
    },
  );

  test("is asked once at a time, however slow the answer", async () => {
    const gate = Promise.withResolvers<void>();
    const only = vendor((request) => (request.method === "GET" ? new Response("{}") : refusing()));
    const { ask, probes, time } = gateway([{ baseUrl: only.baseUrl }]);
    await ask();
    only.paths.length = 0;
    only.answer = (request) =>
      request.method === "GET"
        ? new Response(
            new ReadableStream({
              async start(controller) {
                await gate.promise;
                controller.close();
              },
            }),
            { status: 401 },
          )
        : refusing();
    time.nowMs += 60_000;
    const both = [probes.probe(), probes.probe()];
    gate.resolve();
    await Promise.all(both);
    expect(only.paths).toEqual(["/v1/models"]);
  });

  test.each([404, 405, 501])(
    "is tried by a request where a list is not there: %d",
    async (status) => {
      const only = vendor((request) =>
        request.method === "GET" ? new Response("{}", { status }) : refusing(),
      );
      const { ask, probes, routes, time } = gateway([{ baseUrl: only.baseUrl }]);
      const pauses: number[] = [];
      for (let i = 0; i < 3; i++) {
        await ask();
        const until = routes.status()[0]?.credentials[0]?.cooledUntilMs ?? 0;
        pauses.push((until - time.nowMs) / 60_000);
        time.nowMs = until;
        await probes.probe();
        expect(routes.canServe(MODEL)).toBe(true);
      }
      expect(pauses).toEqual([1, 2, 4]);
    },
  );

  test("is not asked where somebody has switched it off", async () => {
    const only = vendor(refusing);
    const { ask, probes, routes, time } = gateway([{ baseUrl: only.baseUrl }]);
    await ask();
    routes.replace([openChannel({ ...SETTINGS, baseUrl: only.baseUrl, enabled: false }, DIRECT)]);
    only.paths.length = 0;
    time.nowMs += 3_600_000;
    await probes.probe();
    expect(only.paths).toEqual([]);
  });
});
