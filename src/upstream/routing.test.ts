import { describe, expect, test } from "bun:test";
import { type Model, shippedCatalogue } from "../catalogue/models.ts";
import { readConfig } from "../config/config.ts";
import { Fault } from "../lib/faults.ts";
import { overQuota, upstreamUnavailable } from "../protocols/faults.ts";
import { type Channel, plainChannel } from "./channels/channels.ts";
import { VendorKey } from "./channels/credentials.ts";
import type { PlanOptions } from "./plans/plan.ts";
import { type RefusalKind, VendorRefusal } from "./refusal.ts";
import { Routes } from "./routing.ts";

const { limits } = readConfig({
  FAREGATE_RETRIES_MAX: "4",
  FAREGATE_RETRY_BUDGET_MIN: "2",
  FAREGATE_RETRY_BUDGET_PERCENT: "20",
  FAREGATE_CHANNEL_WINDOW_MS: "30000",
  FAREGATE_CHANNEL_ATTEMPTS_MIN: "10",
  FAREGATE_CHANNEL_FAULT_PERCENT: "50",
  FAREGATE_CHANNEL_COOLDOWN_MS: "15000",
  FAREGATE_CREDENTIAL_COOLDOWN_MS: "10000",
  FAREGATE_STICKY_MS: "600000",
});

const CATALOGUE = shippedCatalogue();
const MODEL = CATALOGUE.find("gpt-5.4") as Model;
const WIRE: PlanOptions = { wire: "chat" };

/** The same seed throws the same dice. */
function dice(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function channel(id: string, more: Partial<Channel> & { secrets?: string[] } = {}): Channel {
  const { secrets = [`secret-of-${id}-0001`], ...settings } = more;
  return plainChannel({
    id,
    vendor: "openai",
    keys: secrets.map((text) => new VendorKey(text)),
    send: () => Promise.reject(new Error("nothing is sent here")),
    ...settings,
  });
}

function setUp(channels: Channel[]) {
  const time = { nowMs: 1_000_000 };
  const routes = new Routes(CATALOGUE, channels, limits, () => time.nowMs, dice(7));
  const first = (options = WIRE, model = MODEL) => routes.plan(model, options).next();
  /** The channels that a request goes through when each answers as the test says. */
  const path = (outcomes: Record<string, RefusalKind>, options = WIRE) => {
    const plan = routes.plan(MODEL, options);
    const seen: string[] = [];
    for (let attempt = plan.next(); attempt; attempt = plan.next()) {
      seen.push(attempt.channel.id);
      const kind = outcomes[attempt.channel.id];
      if (kind === undefined) {
        attempt.succeeded();
        break;
      }
      if (!attempt.failed(refusal(kind))?.retryable) break;
    }
    return seen;
  };
  return { routes, time, first, path };
}

const STATUSES: Record<RefusalKind, number | undefined> = {
  client: 400,
  credential: 401,
  rate: 429,
  model: 404,
  vendor: 500,
  unreachable: undefined,
};

function refusal(kind: RefusalKind, retryAfterMs?: number): VendorRefusal {
  const fault = kind === "client" ? new Fault("upstream_rejected", "no") : upstreamUnavailable();
  return new VendorRefusal(`${kind}: no`, { kind, fault, status: STATUSES[kind], retryAfterMs });
}

describe("the wire that is spoken", () => {
  const both = { endpoints: ["responses", "chat"] } as const;
  const wireTo = (more: Partial<Channel>, options: PlanOptions) =>
    setUp([channel("a", more)]).first(options)?.endpoint;

  test("is the client's own, unless the request is better said on another", () => {
    expect(wireTo(both, { wire: "responses" })).toBe("responses");
    expect(wireTo(both, { wire: "responses", avoid: "responses" })).toBe("chat");
    expect(wireTo(both, { wire: "chat", avoid: "responses" })).toBe("chat");
  });

  test("is the client's own where there is no other, or where it can say everything", () => {
    const avoid: PlanOptions = { wire: "responses", avoid: "responses" };
    expect(wireTo({ endpoints: ["responses"] }, avoid)).toBe("responses");
    expect(wireTo({ ...both, embedded: true }, avoid)).toBe("responses");
  });
});

describe("a wire that the vendor refuses the request on", () => {
  const detour = { from: "chat", to: "responses" } as const;
  const wireTo = (endpoints: Channel["endpoints"], options: PlanOptions) =>
    setUp([channel("a", { endpoints })]).first({ ...options, detour })?.endpoint;

  test("is left for the one that takes it, where the channel has that", () => {
    expect(wireTo(["responses", "chat"], { wire: "chat" })).toBe("responses");
    expect(wireTo(["chat", "messages"], { wire: "chat" })).toBe("chat");
    expect(wireTo(["chat"], { wire: "messages" })).toBe("chat");
  });

  test("is left for one that says less of it", () => {
    const avoid = "responses";
    expect(wireTo(["responses", "chat"], { wire: "chat", avoid })).toBe("responses");
    expect(wireTo(["responses", "chat"], { wire: "gemini", avoid })).toBe("responses");
    expect(wireTo(["responses", "chat", "messages"], { wire: "messages", avoid })).toBe("messages");
  });
});

describe("weights and priorities", () => {
  test("are kept to over many requests", () => {
    const { first } = setUp([channel("a", { weight: 1 }), channel("b", { weight: 3 })]);
    const counts: Record<string, number> = { a: 0, b: 0 };
    for (let i = 0; i < 4_000; i++) {
      const attempt = first();
      if (attempt) counts[attempt.channel.id] = (counts[attempt.channel.id] ?? 0) + 1;
      attempt?.succeeded();
    }
    expect(counts.a).toBeGreaterThan(900);
    expect(counts.a).toBeLessThan(1_100);
    expect((counts.a ?? 0) + (counts.b ?? 0)).toBe(4_000);
  });

  test("the highest priority that is open is taken, whatever its weight", () => {
    const low = channel("low", { priority: 0, weight: 1_000 });
    const { path } = setUp([low, channel("high", { priority: 5 })]);
    for (let i = 0; i < 20; i++) expect(path({})).toEqual(["high"]);
    expect(path({ high: "model" })).toEqual(["high", "low"]);
  });

  test("a channel that is switched off is not there", () => {
    const off = channel("off", { enabled: false });
    const { routes, first } = setUp([off]);
    expect([first(), routes.find(MODEL)]).toEqual([undefined, undefined]);
    expect(routes.status()).toMatchObject([{ id: "off", enabled: false }]);
  });
});

describe("one request", () => {
  test("tries every channel once, one of them again, and no more than it may", () => {
    const ids = ["a", "b", "c", "d", "e", "f"];
    const { path } = setUp(ids.map((id) => channel(id)));
    const all = Object.fromEntries(ids.map((id) => [id, "vendor" as const]));
    const seen = path(all);
    expect(new Set(seen).size).toBe(5);
    expect(seen).toHaveLength(6);
    expect(seen[0]).toBe(seen[1] as string);
  });

  test("does not repeat what is its own mistake", () => {
    const { path } = setUp([channel("a", { priority: 1 }), channel("b")]);
    expect(path({ a: "client" })).toEqual(["a"]);
  });

  test("counts the attempts at other models", () => {
    const { routes } = setUp([channel("a"), channel("b")]);
    const plan = routes.plan(MODEL, { ...WIRE, tried: { attempts: 4, repeats: 0 } });
    expect(plan.next()?.number).toBe(5);
    expect([plan.next(), plan.tried]).toEqual([undefined, { attempts: 5, repeats: 0 }]);
  });

  test.each(["credential", "rate"] as const)("after %p takes the channel's other key", (kind) => {
    const one = channel("one", { priority: 1, secrets: ["secret-key-1111", "secret-key-2222"] });
    const { routes, path } = setUp([one, channel("two")]);
    const plan = routes.plan(MODEL, WIRE);
    const keys: unknown[] = [];
    for (let attempt = plan.next(); attempt; attempt = plan.next()) {
      keys.push([attempt.channel.id, attempt.credential.key.lastFour, attempt.number]);
      attempt.failed(refusal(kind));
    }
    expect(keys).toEqual([
      ["one", "1111", 1],
      ["one", "2222", 2],
      ["two", "0001", 3],
    ]);
    expect(path({})).toEqual([]);
  });
});

describe("a request that is too large for a key", () => {
  const SECRETS = ["secret-key-1111", "secret-key-2222", "secret-key-3333"];
  const one = channel("one", { priority: 1, secrets: SECRETS });

  /** Where it goes when each place calls it too large. */
  function triedOf(channels: Channel[]): string[] {
    const plan = setUp(channels).routes.plan(MODEL, WIRE);
    const tried: string[] = [];
    for (let attempt = plan.next(); attempt; attempt = plan.next()) {
      tried.push(`${attempt.channel.id} ${attempt.credential.key.lastFour}`);
      attempt.failed(overQuota("too large"));
    }
    return tried;
  }

  test("goes to other channels first, and then to the other keys", () => {
    expect(triedOf([one, channel("two"), channel("three")])).toEqual([
      "one 1111",
      "two 0001",
      "three 0001",
      "one 2222",
      "one 3333",
    ]);
  });

  test("goes to the other keys where there is no other channel", () => {
    expect(triedOf([one])).toEqual(["one 1111", "one 2222", "one 3333"]);
  });
});

describe("a failing channel", () => {
  test("is cooled without any client seeing an error, and used again when it recovers", () => {
    const { path, routes, time } = setUp([channel("bad", { priority: 1 }), channel("good")]);
    expect(path({ bad: "vendor" })).toEqual(["bad", "bad", "good"]);
    for (let i = 0; i < 8; i++) expect(path({ bad: "vendor" })).toEqual(["bad", "good"]);
    expect(routes.status()).toMatchObject([
      { id: "bad", state: "cooled", cooledUntilMs: 1_015_000, lastError: { kind: "vendor" } },
      { id: "good", state: "ok", attempts: 9, faults: 0 },
    ]);
    expect(path({})).toEqual(["good"]);
    time.nowMs += 15_000;
    expect(path({ bad: "unreachable" })).toEqual(["bad", "good"]);
    expect(path({})).toEqual(["good"]);
    time.nowMs += 15_000;
    expect(path({})).toEqual(["bad"]);
    expect(routes.status()[0]?.state).toBe("ok");
  });

  test("is cooled without any client seeing an error when all come at once", () => {
    const { routes } = setUp([channel("bad", { priority: 1 }), channel("good")]);
    const plans = Array.from({ length: 64 }, () => routes.plan(MODEL, WIRE));
    const attempts = plans.map((plan) => plan.next());
    expect(attempts.map((attempt) => attempt?.channel.id)).toEqual(Array(64).fill("bad"));
    const second = plans.map((plan, at) => {
      attempts[at]?.failed(refusal("vendor"));
      return plan.next();
    });
    // The first fault of all might have been a single one.
    expect(second[0]?.channel.id).toBe("bad");
    expect(second.slice(1).map((attempt) => attempt?.channel.id)).toEqual(Array(63).fill("good"));
  });

  test("takes one request at a time while it is on trial", () => {
    const { path, first, time } = setUp([channel("only")]);
    for (let i = 0; i < 10; i++) path({ only: "vendor" });
    time.nowMs += 15_000;
    const trial = first();
    expect(trial?.channel.id).toBe("only");
    expect(first()).toBeUndefined();
    trial?.abandoned();
    const again = first();
    expect(again?.channel.id).toBe("only");
    again?.succeeded();
    expect(first()?.channel.id).toBe("only");
  });

  test("is known by what breaks in the middle of an answer too", () => {
    const { first, routes } = setUp([channel("only")]);
    for (let i = 0; i < 10; i++) {
      const attempt = first();
      attempt?.succeeded();
      attempt?.failed(upstreamUnavailable(new Error("cut")));
    }
    expect(routes.status()[0]).toMatchObject({ state: "cooled", attempts: 10, faults: 10 });
  });

  test("is asked again where nobody else can be told the request", () => {
    const { routes } = setUp([channel("down", { priority: 2 }), channel("deaf", { priority: 1 })]);
    for (let i = 0; i < 2; i++) routes.plan(MODEL, WIRE).next()?.failed(refusal("vendor"));
    const plan = routes.plan(MODEL, WIRE);
    plan.next()?.failed(refusal("vendor"));
    const deaf = plan.next();
    expect(deaf?.channel.id).toBe("deaf");
    deaf?.unsaid(new Fault("unsupported_parameter", "no such word"));
    expect(plan.next()?.channel.id).toBe("down");
    expect(plan.tried).toEqual({ attempts: 2, repeats: 1 });
    expect(routes.status()[1]).toMatchObject({ state: "untried", attempts: 0, faults: 0 });
  });

  test("that cannot be told a request takes nobody's turn", () => {
    const deaf = ["a", "b", "c", "d", "e", "f"].map((id) => channel(id, { priority: 1 }));
    const { routes } = setUp([...deaf, channel("last")]);
    const plan = routes.plan(MODEL, WIRE);
    for (const _ of deaf) plan.next()?.unsaid(new Fault("unsupported_parameter", "no such word"));
    expect(plan.next()).toMatchObject({ number: 1, channel: { id: "last" } });
  });

  test("is blamed once for each answer, and an answer counts once", () => {
    const { first, routes } = setUp([channel("only")]);
    const cut = first();
    cut?.succeeded();
    for (let i = 0; i < 3; i++) cut?.failed(upstreamUnavailable(new Error("cut")));
    const failed = first();
    for (let i = 0; i < 3; i++) failed?.failed(refusal("vendor"));
    const refused = first();
    refused?.succeeded();
    refused?.failed(refusal("rate"));
    expect(routes.status()[0]).toMatchObject({ attempts: 3, faults: 2 });
  });

  test("is not blamed for clients that leave, their mistakes, or our own", () => {
    const { first, routes } = setUp([channel("only")]);
    for (let i = 0; i < 30; i++) {
      first()?.abandoned();
      first()?.failed(refusal("client"));
      expect(first()?.failed(new TypeError("ours"))).toBeUndefined();
    }
    // None of that was an answer either.
    const known = { state: "untried", faults: 0, lastError: undefined };
    expect(routes.status()[0]).toMatchObject(known);
  });

  test("gets no more retries than the budget allows when all others fail as well", () => {
    const { routes, path } = setUp([channel("a", { priority: 1 }), channel("b")]);
    path({ a: "vendor", b: "vendor" });
    path({ a: "vendor", b: "vendor" });
    const plans = Array.from({ length: 5 }, () => routes.plan(MODEL, WIRE));
    const first = plans.map((plan) => plan.next());
    const second = plans.map((plan, at) => {
      first[at]?.failed(refusal("vendor"));
      return plan.next();
    });
    expect(second.map((attempt) => attempt?.channel.id)).toEqual([
      "b",
      "b",
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe("when nothing is open", () => {
  test("the answer says when to come back", () => {
    const { routes, first, time } = setUp([channel("a", { priority: 1 }), channel("b")]);
    first()?.failed(refusal("rate", 40_000));
    first()?.failed(refusal("rate", 7_500));
    const plan = routes.plan(MODEL, WIRE);
    expect(plan.next()).toBeUndefined();
    const fault = plan.unavailable();
    expect([fault.status, fault.headers["retry-after"]]).toEqual([503, "8"]);
    time.nowMs += 7_500;
    expect(first()?.channel.id).toBe("b");
  });

  test("a model without its channel rests alone", () => {
    const { first } = setUp([channel("a")]);
    const other = CATALOGUE.find("gpt-5.2") as Model;
    first()?.failed(refusal("model"));
    expect(first()).toBeUndefined();
    expect(first(WIRE, other)?.upstreamModel).toBe("gpt-5.2");
  });

  test("a key that is refused stays out, and the channel says why without showing it", () => {
    const { routes, first, time } = setUp([channel("a")]);
    first()?.failed(refusal("credential"));
    time.nowMs += 1e9;
    expect(first()).toBeUndefined();
    const status = routes.status();
    expect(status).toMatchObject([
      { state: "refused", credentials: [{ lastFour: "0001", message: "credential: no" }] },
    ]);
    const shown = JSON.stringify([status, routes.unpriced(), routes.find(MODEL), first()]);
    expect(shown).not.toContain("secret");
    expect(routes.plan(MODEL, WIRE).unavailable().headers).toEqual({});
  });
});

describe("a conversation", () => {
  const sticky = { ...WIRE, sticky: "acct_1/conversation" };
  const secrets = ["secret-key-1111", "secret-key-2222"];

  test("stays with its channel and its key while they are well", () => {
    const { first, routes } = setUp([channel("a", { secrets }), channel("b", { secrets })]);
    const start = first(sticky);
    start?.succeeded();
    for (let i = 0; i < 50; i++) {
      first()?.succeeded();
      const next = first(sticky);
      expect(next?.credential).toBe(start?.credential as never);
      next?.succeeded();
    }
    const others = new Set<string | undefined>();
    for (let i = 0; i < 50; i++) {
      others.add(routes.plan(MODEL, { ...WIRE, sticky: `other ${i}` }).next()?.channel.id);
    }
    expect(others.size).toBe(2);
  });

  test("is remembered where it was answered, and nowhere else", () => {
    const { first } = setUp([channel("a"), channel("b")]);
    const places = new Set<string | undefined>();
    for (let i = 0; i < 40; i++) {
      const attempt = first(sticky);
      places.add(attempt?.channel.id);
      attempt?.failed(i % 2 === 0 ? new TypeError("ours") : refusal("client"));
    }
    expect(places.size).toBe(2);
  });

  test("goes on under the name of its last answer", () => {
    const { first } = setUp([channel("a", { secrets }), channel("b", { secrets })]);
    const start = first();
    start?.succeeded();
    start?.rememberAs("acct_1/resp_1");
    for (let i = 0; i < 20; i++) {
      first()?.succeeded();
      const next = first({ ...WIRE, sticky: `acct_1/resp_${i + 1}` });
      expect(next?.credential).toBe(start?.credential as never);
      next?.succeeded();
      next?.rememberAs(`acct_1/resp_${i + 2}`);
    }
  });

  test("moves when its key rests, and stays where it moved to", () => {
    const { first, time } = setUp([channel("a", { secrets, priority: 1 }), channel("b")]);
    const start = first(sticky);
    start?.succeeded();
    start?.credential.cool(time.nowMs + 60_000);
    const moved = first(sticky);
    expect(moved?.channel.id).toBe("a");
    expect(moved?.credential).not.toBe(start?.credential as never);
    moved?.succeeded();
    time.nowMs += 60_000;
    expect(first(sticky)?.credential).toBe(moved?.credential as never);
  });
});

describe("the protocol that is spoken", () => {
  const both = channel("both", { endpoints: ["chat", "messages"], searches: ["messages"] });

  test.each([
    ["messages", "messages"],
    ["chat", "chat"],
    ["responses", "chat"],
    ["gemini", "chat"],
  ] as const)("to a client of %p is %p", (wire, endpoint) => {
    const attempt = setUp([both]).first({ wire });
    expect([attempt?.endpoint, attempt?.runsSearches]).toEqual([endpoint, wire === "messages"]);
  });

  test("is one of those by which the vendor knows the model", () => {
    const all: Channel["endpoints"] = ["responses", "chat", "embeddings", "messages"];
    const codex = CATALOGUE.find("gpt-5.3-codex") as Model;
    const spoken = (endpoints: Channel["endpoints"], wire: PlanOptions["wire"], model = codex) =>
      setUp([channel("a", { endpoints })]).first({ wire }, model)?.endpoint;
    expect(spoken(all, "chat")).toBe("responses");
    expect(spoken(["chat"], "responses")).toBe("chat");
    const embedding = [...CATALOGUE.all()].find((m) => m.endpoints.includes("embeddings")) as Model;
    expect(spoken(all, "embeddings", embedding)).toBe("embeddings");
    expect(spoken(["chat"], "embeddings", embedding)).toBeUndefined();
    expect(spoken(all, "embeddings", MODEL)).toBeUndefined();
  });

  test("can be one that runs searches when the request asks for them", () => {
    const plain = channel("plain", { priority: 9, endpoints: ["chat"] });
    const searching = channel("searching", { endpoints: ["chat"], searches: ["chat"] });
    const { first, path } = setUp([plain, searching]);
    expect(first({ ...WIRE, webSearch: true })?.channel.id).toBe("searching");
    expect(first()?.channel.id).toBe("plain");
    expect(path({ searching: "model" }, { ...WIRE, webSearch: true })).toEqual([
      "searching",
      "plain",
    ]);
  });
});
