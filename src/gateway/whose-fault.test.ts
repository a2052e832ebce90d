// What a receipt keeps, so that whoever reads it later knows whose fault it was and what helps.
import { afterEach, describe, expect, mock, spyOn, test } from "bun:test";
import {
  type AdmissionPort,
  CHAT,
  DELTA,
  event,
  fed,
  gateway,
  type Receipt,
  type Send,
  theOnly,
  thrownBy,
} from "../../test/support/houses/pipeline.ts";
import { attributionOf, concernsClient } from "../ledger/fault-attribution.ts";
import { ThreadPool, WorkTooSlow } from "../lib/threads/thread-pool.ts";
import { VendorKey } from "../upstream/channels/credentials.ts";

const STREAM = { ...CHAT, stream: true };

function answering(status: number, message: string): Send {
  return async () => Response.json({ error: { message } }, { status });
}

async function receiptOf(send: Send, body: object = CHAT): Promise<Receipt> {
  const it = gateway({ send });
  await thrownBy(it.post("chat", body));
  return theOnly(it);
}

describe("a request that its vendor refuses", () => {
  test("is its own fault, in the vendor's words", async () => {
    const receipt = await receiptOf(answering(400, "temperature must be below 1"));
    expect(receipt).toMatchObject({ status: 400, billingReason: "upstream_refused" });
    expect(receipt.attempts).toMatchObject([
      { code: "upstream_rejected", status: 400, message: "400 temperature must be below 1" },
    ]);
    expect(attributionOf(receipt)).toBe("client");
  });

  test("in the middle of a stream is its own fault too, and no fault of the channel", async () => {
    const vendor = fed();
    const it = gateway({ send: vendor.send });
    vendor.say(DELTA);
    const response = await it.post("chat", STREAM);
    const error = { message: "The prompt is not allowed", type: "invalid_request_error" };
    vendor.say(event({ error }));
    await response.text();
    const receipt = await theOnly(it);
    expect(receipt).toMatchObject({ status: 400, billingReason: "upstream_refused" });
    expect(receipt.attempts).toMatchObject([{ message: "The prompt is not allowed" }]);
    expect(it.services.routes.status()[0]).toMatchObject({ attempts: 1, faults: 0 });
  });
});

describe("a request that is too large for our account with its vendor", () => {
  const message = "Request too large for m in organization org-7 on tokens per min (TPM): Limit 3.";
  const error = { message, type: "tokens", code: "rate_limit_exceeded" };

  function expectOurWords(said: string, receipt: Receipt): void {
    expect(said).toContain("Shorten it");
    expect(said).not.toContain("org-7");
    expect(receipt).toMatchObject({ status: 400, billingReason: "upstream_refused" });
    expect(attributionOf(receipt)).toBe("client");
    const [attempt] = receipt.attempts;
    expect(attempt?.message).toContain("org-7");
    expect(concernsClient(attempt?.code ?? null)).toBe(false);
  }

  test.each([
    ["429", async () => Response.json({ error }, { status: 429 })],
    ["an event", async () => new Response(event({ error }))],
    ["a status in an event", async () => new Response(event({ error: { message, code: 413 } }))],
    ["another one", async () => new Response(event({ error: { message, code: 429 } }))],
  ] as const)("is told so, and nothing of that account: by %s", async (_name, send) => {
    const it = gateway({ send });
    const fault = await thrownBy(it.post("chat", STREAM));
    expect(fault.code).toBe("upstream_rejected");
    expectOurWords(fault.message, await theOnly(it));
    expect(it.services.routes.status()[0]).toMatchObject({ faults: 0 });
  });

  test("is told so in a stream that has begun, which is no fault of the channel", async () => {
    const vendor = fed();
    const it = gateway({ send: vendor.send });
    vendor.say(DELTA);
    const response = await it.post("chat", STREAM);
    vendor.say(event({ error }));
    expectOurWords(await response.text(), await theOnly(it));
    expect(it.services.routes.status()[0]).toMatchObject({ attempts: 1, faults: 0 });
  });
});

describe("what a vendor says when it fails", () => {
  test("is on the receipt of the request, without anything that looks like a key", async () => {
    const words = "Incorrect API key provided: sk-proj-1234567890abcdef.";
    const receipt = await receiptOf(answering(500, words));
    expect(receipt).toMatchObject({ status: 503, billingReason: "upstream_failed" });
    expect(receipt.attempts.at(-1)?.message).toBe("500 Incorrect API key provided: …");
    expect(attributionOf(receipt)).toBe("vendor");
  });

  test("is cut", async () => {
    const { attempts } = await receiptOf(answering(500, "long ".repeat(1_000)));
    expect(attempts.at(-1)?.message).toHaveLength(500);
  });

  test("is there when nobody answered, and when a stream broke off", async () => {
    const refused = await receiptOf(async () => {
      throw new Error("ECONNREFUSED");
    });
    expect(refused.attempts.at(-1)?.message).toContain("ECONNREFUSED");
    const vendor = fed();
    const it = gateway({ send: vendor.send });
    vendor.say(DELTA);
    const response = await it.post("chat", STREAM);
    vendor.say(event({ error: { message: "The engine is overloaded" } }));
    await response.text();
    expect((await theOnly(it)).attempts.at(-1)?.message).toContain("The engine is overloaded");
  });
});

describe("a whole answer that we cannot read in time", () => {
  afterEach(() => mock.restore());

  /** Longer than a text is made of without a thread. */
  const LONG = { choices: [{ message: { role: "assistant", content: "a".repeat(5 << 20) } }] };

  test.each([
    ["", 0],
    [", though the time of all is over by then", 3_600_000],
  ])("is our own fault: nobody else is asked, and nothing is charged%s", async (_words, lateMs) => {
    const keys = [new VendorKey("k-1"), new VendorKey("k-2")];
    const it = gateway({ keys, send: async () => Response.json(LONG) });
    spyOn(ThreadPool.prototype, "run").mockImplementation(async () => {
      it.goTo(lateMs);
      throw new WorkTooSlow();
    });
    const fault = await thrownBy(it.post("chat", CHAT));
    expect([fault.status, fault.code]).toEqual([503, "overloaded"]);
    const receipt = await theOnly(it);
    expect(receipt).toMatchObject({ billingReason: "gateway_failed", charge: { amount: 0n } });
    expect(attributionOf(receipt)).toBe("gateway");
    expect(it.calls).toHaveLength(1);
    expect(it.services.routes.status()[0]).toMatchObject({ faults: 0, lastError: undefined });
  });
});

describe("what a vendor was sent", () => {
  const headers = { "x-corp-pass": "Zq81mmTop9", "proxy-authorization": "Basic dXM6cGFzcw==" };
  const words = "The engine is on fire (k-secret-1, Zq81mmTop9, dXM6cGFzcw==)";

  test.each([
    ["with a status", async () => Response.json({ error: { message: words } }, { status: 500 })],
    ["with a 200", async () => Response.json({ error: { message: words } })],
  ] as const)("is told to nobody where it is quoted %s", async (_name, send) => {
    const keys = [new VendorKey("k-secret-1", headers)];
    const it = gateway({ send, keys });
    const fault = await thrownBy(it.post("chat", CHAT));
    const receipt = await theOnly(it);
    const { lastError } = it.services.routes.status()[0] ?? {};
    const told = [`${Bun.inspect(fault)}`, receipt.attempts.at(-1)?.message, lastError?.message];
    for (const each of told) {
      expect(each).toContain("The engine is on fire (…, …, …)");
      expect(each).not.toMatch(/k-secret-1|Zq81mmTop9|dXM6cGFzcw/);
    }
  });
});

describe("a refusal before any vendor", () => {
  async function rowOf(setting: Parameters<typeof gateway>[0], body: object = CHAT) {
    const it = gateway(setting);
    const fault = await thrownBy(it.post("chat", body));
    await it.services.tasks.settled();
    return { fault, row: it.refused[0] as Receipt };
  }

  test("of a model that the key may not use is kept as that, and told as before", async () => {
    const { fault, row } = await rowOf({ key: { models: ["lantern-2.1"] } });
    expect([fault.status, fault.code]).toEqual([404, "model_not_found"]);
    expect(row.errorCode).toBe("model_not_allowed");
    expect(attributionOf(row)).toBe("key");
    const unknown = await rowOf({ key: { models: ["lantern-2.1"] } }, { ...CHAT, model: "none" });
    expect(unknown.row.errorCode).toBe("model_not_found");
    expect(attributionOf(unknown.row)).toBe("client");
  });

  test.each([
    ["requests", "requests_per_minute"],
    ["tokens", "tokens_per_minute"],
    ["concurrency", "concurrent_requests"],
  ] as const)("by the limit of %s names it", async (limit, scope) => {
    const rates = { requestsLeft: 0, requestsResetMs: 1, tokensLeft: null, tokensResetMs: 0 };
    const admit: AdmissionPort["admit"] = async () => ({
      ...{ kind: "limited", limit, max: 5, used: 4, retryAfterMs: 12_345, rates },
    });
    const { row } = await rowOf({ admit });
    expect(row.refusal).toMatchObject({ scope, period: null, used: 4n, max: 5n, needed: null });
    expect(row.refusal?.fix).toContain("13");
    expect(attributionOf(row)).toBe("limit");
  });

  test("by what the requests of its account hold names it, and counts in the books", async () => {
    const env = { FAREGATE_BODY_BYTES_IN_FLIGHT_MAX: "3000" };
    const it = gateway({ env, key: { requestsPerMinute: 5 } });
    const refuse = spyOn(it.services.ledger, "refuse");
    it.services.bodies.reserve(1_400, "acct_1");
    const fault = await thrownBy(it.post("chat", CHAT));
    expect([fault.status, fault.code]).toEqual([429, "rate_limit_exceeded"]);
    await it.services.tasks.settled();
    const [row] = it.refused;
    // With what has come of this one.
    const used = BigInt(1_400 + JSON.stringify(CHAT).length);
    expect(row?.refusal).toMatchObject({ scope: "bytes_in_flight", used, max: 2_250n });
    expect(attributionOf(row as Receipt)).toBe("limit");
    expect(refuse.mock.calls.map(([, count]) => count)).toEqual([{ requests: 1, max: 5 }]);
  });

  test("by requests per minute that came too soon names it as well", async () => {
    const it = gateway({ key: { requestsPerMinute: 1 } });
    await it.post("chat", CHAT);
    await thrownBy(it.post("chat", CHAT));
    await it.services.tasks.settled();
    expect(it.refused[0]?.refusal).toMatchObject({ scope: "requests_per_minute", max: 1n });
  });
});
