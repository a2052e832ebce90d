import { describe, expect, test } from "bun:test";
import {
  type AdmissionInput,
  type AdmissionPort,
  CHAT,
  COUNTS,
  DELTA,
  event,
  fed,
  gateway,
  RESPONSES,
  STOP,
  theOnly,
  thrownBy,
} from "../../test/support/houses/pipeline.ts";
import { RESPONSE_ID_CHARS_MAX } from "../ledger/receipt.ts";
import { StorageError } from "../lib/faults.ts";

describe.each(["chat", "responses"] as const)("on the %s wire", (path) => {
  const body = path === "chat" ? CHAT : RESPONSES;

  test("a whole answer is settled before it is sent, with its cost", async () => {
    const it = gateway();
    const response = await it.post(path, body);
    const receipt = await theOnly(it);
    expect(receipt.billingReason).toBe("completed");
    expect(receipt.charge.amount).toBeGreaterThan(0n);
    const answer = (await response.json()) as {
      model: string;
      usage: { cost: number; cost_exact: string };
    };
    expect(answer.model).toBe("sandbox-1.0");
    const exact = answer.usage.cost_exact;
    expect(response.headers.get("x-faregate-cost")).toBe(exact);
    expect(answer.usage.cost).toBe(Number(exact));
    expect(it.calls[0]?.body.model).toBe("sandbox-1.0");
  });

  test("a stream ends with its marker once it is settled", async () => {
    const it = gateway();
    const response = await it.post(path, { ...body, stream: true });
    const reader = response.body?.getReader();
    let text = "";
    for (;;) {
      const chunk = await reader?.read();
      if (!chunk || chunk.done) break;
      text += Buffer.from(chunk.value).toString();
      if (text.includes("[DONE]")) expect(it.settled).toHaveLength(1);
    }
    expect(text).toEndWith("data: [DONE]\n\n");
    expect((await theOnly(it)).billingReason).toBe("completed");
    expect(response.headers.get("content-type")).toContain("text/event-stream");
  });

  test.each([
    ["the vendor refuses the connection", () => Promise.reject(new Error("ECONNREFUSED")), 503],
    ["the vendor is broken", async () => new Response("{}", { status: 500 }), 503],
    ["the vendor is busy", async () => new Response("{}", { status: 429 }), 503],
    ["the vendor refuses the request", async () => new Response("{}", { status: 400 }), 400],
    ["the answer is not what the wire promises", async () => new Response("<html>"), 503],
    ["the answer is empty", async () => new Response(""), 503],
  ])("nothing is charged when %s", async (_name, send, status) => {
    for (const stream of [false, true]) {
      const it = gateway({ send });
      const fault = await thrownBy(it.post(path, { ...body, stream }));
      expect(fault.status).toBe(status);
      const receipt = await theOnly(it);
      expect([receipt.charge.amount, receipt.status]).toEqual([0n, status]);
    }
  });

  test("tools whose kind is no plain word are dropped without harm", async () => {
    const it = gateway();
    const response = await it.post(path, { ...body, tools: [{ type: "外部\ntool" }] });
    expect(response.status).toBe(200);
    expect((await theOnly(it)).billingReason).toBe("completed");
  });
});

describe("refusals", () => {
  test.each([
    ["a field", { ...CHAT, temperature: 9 }, "decimal_above_max_value"],
    ["a model", { ...CHAT, model: "none-1.0" }, "model_not_found"],
  ])("for %s call no vendor, hold nothing and leave a row", async (_name, body, code) => {
    const it = gateway();
    expect((await thrownBy(it.post("chat", body))).code).toBe(code);
    await it.services.tasks.settled();
    expect(it.calls).toHaveLength(0);
    expect(it.settled).toHaveLength(0);
    expect(it.refused).toMatchObject([{ errorCode: code, billingReason: "refused" }]);
    expect(it.services.bodies.bytesInFlight).toBe(0);
  });

  test("a limit of money says on the row what it says to the client", async () => {
    const admit: AdmissionPort["admit"] = async () => ({
      kind: "exceeded",
      scope: "budget",
      used: 10_012_300_000n,
      max: 10_000_000_000n,
      period: "total",
      resetsAtMs: null,
    });
    const it = gateway({ admit });
    const fault = await thrownBy(it.post("chat", CHAT));
    expect([fault.status, fault.type, fault.code, fault.param]).toEqual([
      400,
      "budget_exceeded",
      "400",
      null,
    ]);
    expect(fault.message).toBe("Budget has been exceeded! Current cost: 10.0123, Max budget: 10.0");
    await it.services.tasks.settled();
    const [row] = it.refused;
    expect(row).toMatchObject({ errorCode: "budget_exceeded", outputClamp: null });
    expect(fault.headers).toEqual({
      "x-faregate-scope": "budget",
      "x-faregate-period": "total",
      "x-faregate-used": "10.0123",
      "x-faregate-max": "10.0",
      "x-faregate-left": "0.0",
      "x-faregate-fix": row?.refusal?.fix ?? "",
    });
    expect(row?.refusal).toEqual({
      scope: "budget",
      period: "total",
      used: 10_012_300_000n,
      max: 10_000_000_000n,
      left: 0n,
      needed: null,
      fix: "Raise the key's budget.",
      resetsAtMs: null,
    });
  });

  test("a rate limit tells the seconds really left, in every header that clients read", async () => {
    const admit: AdmissionPort["admit"] = async () => ({
      kind: "limited",
      limit: "requests",
      max: 5,
      used: 5,
      retryAfterMs: 12_345,
      rates: { requestsLeft: 0, requestsResetMs: 12_345, tokensLeft: null, tokensResetMs: 0 },
    });
    const it = gateway({ admit, key: { requestsPerMinute: 5 } });
    const fault = await thrownBy(it.post("chat", CHAT));
    expect([fault.status, fault.type, fault.code]).toEqual([
      429,
      "rate_limit_error",
      "rate_limit_exceeded",
    ]);
    expect(fault.headers).toMatchObject({
      "retry-after": "13",
      "retry-after-ms": "12345",
      "x-ratelimit-limit-requests": "5",
      "x-ratelimit-remaining-requests": "0",
      "x-ratelimit-reset-requests": "12.345s",
    });
    expect(fault.headers).not.toHaveProperty("x-ratelimit-limit-tokens");
  });

  test("without storage the answer is a 503 that invites to come back", async () => {
    const admit: AdmissionPort["admit"] = () =>
      Promise.reject(new StorageError("the database is gone"));
    const fault = await thrownBy(gateway({ admit }).post("chat", CHAT));
    expect([fault.status, fault.code]).toEqual([503, "storage_unavailable"]);
    expect(fault.headers["retry-after"]).toBeDefined();
  });
});

describe("a client that leaves", () => {
  test("a stream: the vendor is hung up on, input and what was delivered are charged", async () => {
    const vendor = fed();
    const it = gateway({ send: vendor.send });
    vendor.say(DELTA);
    const response = await it.post("chat", { ...CHAT, stream: true });
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    const receipt = await theOnly(it);
    expect(it.calls[0]?.signal.aborted).toBe(true);
    expect([receipt.billingReason, receipt.usage.output]).toEqual(["client_closed", 2]);
    expect(receipt.usage.fresh).toBeGreaterThan(0);
  });

  test("a stream of a vendor that bills anyway: read to its counts", async () => {
    const vendor = fed();
    const it = gateway({ send: vendor.send, onDisconnect: "drain" });
    vendor.say(DELTA);
    const response = await it.post("chat", { ...CHAT, stream: true });
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    expect(it.settled).toHaveLength(0);
    vendor.say(STOP + COUNTS + event("[DONE]"));
    vendor.end();
    const receipt = await theOnly(it);
    expect(receipt.billingReason).toBe("client_closed_finished");
    expect(receipt.usage).toMatchObject({ fresh: 10, output: 2 });
  });

  test("before the first byte of a stream", async () => {
    const vendor = fed();
    const it = gateway({ send: vendor.send });
    const leave = new AbortController();
    const answer = thrownBy(it.post("chat", { ...CHAT, stream: true }, leave.signal));
    while (it.calls.length === 0) await Bun.sleep(0);
    leave.abort();
    await answer;
    expect(it.calls[0]?.signal.aborted).toBe(true);
    expect((await theOnly(it)).billingReason).toBe("client_closed");
  });

  test("before the vendor is called: nobody works for it, and its hold ends at once", async () => {
    const leave = new AbortController();
    leave.abort();
    const it = gateway({ send: fed().send });
    // The vendor never says a word, so only the client's absence can end this.
    await it.post("chat", { ...CHAT, stream: true }, leave.signal).catch(() => {});
    expect(it.calls.every(({ signal }) => signal.aborted)).toBe(true);
    await theOnly(it);
  });

  test("a whole answer is finished and charged by the vendor's counts", async () => {
    const gate = Promise.withResolvers<Response>();
    const it = gateway({ send: () => gate.promise });
    const leave = new AbortController();
    const answer = it.post("chat", CHAT, leave.signal);
    while (it.calls.length === 0) await Bun.sleep(0);
    leave.abort();
    const usage = { prompt_tokens: 10, completion_tokens: 2 };
    const choices = [{ message: { role: "assistant", content: "Hello." }, finish_reason: "stop" }];
    gate.resolve(Response.json({ id: "c", model: "v", choices, usage }));
    await answer;
    expect(it.calls[0]?.signal.aborted).toBe(false);
    const receipt = await theOnly(it);
    expect([receipt.billingReason, receipt.usage.fresh]).toEqual(["client_closed_finished", 10]);
  });

  test("one that takes nothing for too long counts as gone", async () => {
    const vendor = fed();
    const it = gateway({ send: vendor.send });
    vendor.say(DELTA);
    const response = await it.post("chat", { ...CHAT, stream: true });
    await Bun.sleep(0);
    it.goTo(it.services.limits.client_idle_ms);
    expect((await theOnly(it)).billingReason).toBe("client_closed");
    const broken = await response.text().catch(() => "broken off");
    expect(broken).toBe("broken off");
    await theOnly(it);
  });

  test("a whole answer that takes longer than any may is charged as one that was left", async () => {
    const hung = (_call: unknown, _key: unknown, signal: AbortSignal) =>
      new Promise<Response>((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
      });
    const it = gateway({ send: hung });
    const answer = thrownBy(it.post("chat", CHAT));
    await Bun.sleep(0);
    it.goTo(it.services.limits.upstream_total_ms);
    expect((await answer).status).toBe(503);
    const receipt = await theOnly(it);
    expect(receipt.billingReason).toBe("client_closed");
    expect(receipt.charge.amount).toBeGreaterThan(0n);
    expect(receipt.usage.output).toBe(0);
  });

  test("one that leaves while its answer is being settled leaves nothing to watch", async () => {
    const vendor = fed();
    const it = gateway({ send: vendor.send });
    const commit = Promise.withResolvers<void>();
    const settle = it.services.ledger.settle.bind(it.services.ledger);
    it.services.ledger.settle = async (settlement) => {
      await commit.promise;
      return settle(settlement);
    };
    vendor.say(DELTA);
    vendor.say("data: [DONE]\n\n");
    const response = await it.post("chat", { ...CHAT, stream: true });
    const reader = response.body?.getReader();
    await reader?.read();
    const rest = reader?.read().catch(() => {});
    await Bun.sleep(0);
    await reader?.cancel();
    commit.resolve();
    await rest;
    await Bun.sleep(0);
    vendor.end();
    await it.services.tasks.settled();
    expect(it.services.watchdog.size).toBe(0);
    expect((await theOnly(it)).billingReason).toBe("completed_estimated");
  });
});

describe("a vendor that fails after its first byte", () => {
  const read = async (response: Response) => (await response.text()).split("\n\n").filter(Boolean);

  test.each([
    ["breaks off", (vendor: ReturnType<typeof fed>) => vendor.break()],
    ["ends without an end", (vendor: ReturnType<typeof fed>) => vendor.end()],
    [
      "sends an error",
      (vendor: ReturnType<typeof fed>) => vendor.say(event({ error: { message: "x" } })),
    ],
    ["sends nonsense", (vendor: ReturnType<typeof fed>) => vendor.say("data: {\n\n")],
  ])("%s: the client is told, nothing is charged", async (_name, fail) => {
    const vendor = fed();
    const it = gateway({ send: vendor.send });
    vendor.say(DELTA);
    const response = await it.post("chat", { ...CHAT, stream: true });
    fail(vendor);
    const events = await read(response);
    expect(events.at(-1)).toContain('"error"');
    expect(events.join()).not.toContain("[DONE]");
    const receipt = await theOnly(it);
    expect([receipt.billingReason, receipt.charge.amount]).toEqual(["upstream_failed", 0n]);
  });

  test("and has counted: its counts are charged, and the client is not told otherwise", async () => {
    const vendor = fed();
    const it = gateway({ send: vendor.send });
    vendor.say(DELTA + COUNTS);
    const response = await it.post("chat", { ...CHAT, stream: true });
    vendor.break();
    const events = await read(response);
    const receipt = await theOnly(it);
    expect(receipt.billingReason).toBe("upstream_failed_with_usage");
    expect(receipt.charge.amount).toBeGreaterThan(0n);
    expect(events.at(-1)).not.toContain("Nothing was charged");
  });

  test("while storage is out: the client is still told, not only cut off", async () => {
    const vendor = fed();
    const setting = { send: vendor.send, storageOut: true };
    const it = gateway(setting);
    vendor.say(DELTA);
    const response = await it.post("chat", { ...CHAT, stream: true });
    vendor.break();
    const text = await response.text().catch(() => "cut off");
    setting.storageOut = false;
    expect(text).toContain('"error"');
    expect((await theOnly(it)).charge.amount).toBe(0n);
  });

  test("and is silent: signs of life first, then the idle deadline", async () => {
    const vendor = fed();
    const it = gateway({ send: vendor.send });
    vendor.say(DELTA);
    const response = await it.post("chat", { ...CHAT, stream: true });
    const reader = response.body?.getReader();
    const next = async () => Buffer.from((await reader?.read())?.value ?? []).toString();
    await next();
    const alive = next();
    await Bun.sleep(0);
    it.goTo(it.services.limits.keep_alive_ms);
    expect(await alive).toMatch(/^:/);
    const end = next();
    it.goTo(it.services.limits.upstream_idle_ms);
    expect(await end).toBeDefined();
    await theOnly(it);
  });
});

describe("the id of an answer", () => {
  const idOf = (chars: number) => `chatcmpl-${"x".repeat(chars - "chatcmpl-".length)}`;
  const kept = idOf(RESPONSE_ID_CHARS_MAX);

  test.each([
    ["is on its receipt", kept, kept],
    ["is not where it is longer than any that can be kept", `${kept}x`, null],
  ])("%s, and it is charged", async (_name, id, onReceipt) => {
    const named = (text: string) => text.replaceAll('"c1"', JSON.stringify(id));
    for (const stream of [false, true]) {
      const choices = [{ index: 0, message: { content: "12345678" }, finish_reason: "stop" }];
      const usage = { prompt_tokens: 10, completion_tokens: 2 };
      const whole = JSON.stringify({ id, model: "v", choices, usage });
      const text = stream ? named(DELTA + STOP + COUNTS + event("[DONE]")) : whole;
      const it = gateway({ send: async () => new Response(text) });
      const response = await it.post("chat", { ...CHAT, stream });
      expect(await response.text()).toContain(id);
      const receipt = await theOnly(it);
      expect([receipt.billingReason, receipt.responseId]).toEqual(["completed", onReceipt]);
      expect(receipt.charge.amount).toBeGreaterThan(0n);
    }
  });
});

describe("sizes", () => {
  test("the hold covers input and the output that was asked for, for every choice", async () => {
    const requests: AdmissionInput[] = [];
    const admit: AdmissionPort["admit"] = async (request) => {
      requests.push(request);
      return { kind: "exceeded", scope: "balance", used: 1n, max: 0n };
    };
    const it = gateway({ admit });
    for (const more of [
      { max_tokens: 10 },
      { max_tokens: 10, n: 3 },
      {},
      { max_tokens: 9_000_000 },
    ]) {
      await thrownBy(it.post("chat", { ...CHAT, ...more }));
    }
    const [ten, thirty, open, most] = requests.map(({ worst }) => worst);
    expect((thirty ?? 0n) - (ten ?? 0n)).toBe(20n * 4_000n);
    // Without a maximum of its own it may come to the model's, as with one that is larger.
    expect((open ?? 0n) - (ten ?? 0n)).toBe((16_384n - 10n) * 4_000n);
    expect((most ?? 0n) - (ten ?? 0n)).toBe((16_384n - 10n) * 4_000n);
  });

  test.each([false, true])(
    "a whole answer is asked for no longer than its allowance, hard or not: %p",
    async (hard) => {
      const it = gateway({ key: { hard }, left: 10_000_000n });
      const response = await it.post("responses", RESPONSES);
      const asked = Number(it.calls[0]?.body.max_output_tokens);
      expect(response.headers.get("x-faregate-clamped")).toBe(String(asked));
      const { held } = it.settled[0]?.receipt ?? { held: 0n };
      expect(held).toBe(10_000_000n);
      expect(asked).toBeGreaterThan(1_000);
      expect(BigInt(asked) * 4_000n).toBeLessThan(held);
    },
  );

  test("the least allowance still asks for what vendors accept", async () => {
    const it = gateway({ key: { hard: true }, left: 1n });
    await it.post("chat", CHAT);
    expect(it.calls[0]?.body.max_completion_tokens).toBe(16);
  });

  test("an answer with all the allowance it may need is not clamped", async () => {
    const it = gateway();
    const response = await it.post("chat", CHAT);
    expect(it.calls[0]?.body).not.toHaveProperty("max_completion_tokens");
    expect(response.headers.has("x-faregate-clamped")).toBe(false);
  });

  test("a maximum below its allowance is the client's own", async () => {
    const it = gateway({ left: 10_000_000n });
    const response = await it.post("chat", { ...CHAT, max_tokens: 20 });
    expect(it.calls[0]?.body).toMatchObject({ max_tokens: 20 });
    expect(response.headers.has("x-faregate-clamped")).toBe(false);
  });

  test("a maximum above the model's is clamped to the model's", async () => {
    const it = gateway();
    const response = await it.post("chat", { ...CHAT, max_completion_tokens: 9_000_000 });
    expect(it.calls[0]?.body.max_completion_tokens).toBe(16_384);
    expect(response.headers.get("x-faregate-clamped")).toBe("16384");
    expect(response.headers.has("x-faregate-dropped")).toBe(false);
  });

  test("a stream that is seen is not clamped, one that is billed to its end is", async () => {
    const asked = async (onDisconnect: "abort" | "drain", more: object = {}) => {
      const it = gateway({ left: 10_000_000n, onDisconnect });
      await (await it.post("chat", { ...CHAT, stream: true, ...more })).text();
      return it.calls[0]?.body.max_completion_tokens;
    };
    expect(await asked("abort")).toBeUndefined();
    expect(await asked("drain")).toBeNumber();
    // Of what a model thinks nobody sees how much it is.
    expect(await asked("abort", { reasoning_effort: "high" })).toBeNumber();
  });
});
