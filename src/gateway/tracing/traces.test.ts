// What is recorded of a request, by way of a collector that is strict about what it takes.
import { describe, expect, test } from "bun:test";
import { partsOfTest } from "../../../test/support/houses/house.ts";
import {
  CHAT,
  COUNTS,
  DELTA,
  event,
  fed,
  gateway,
  RESPONSES,
  STOP,
  thrownBy,
} from "../../../test/support/houses/pipeline.ts";
import { SILENT } from "../../../test/support/logs.ts";
import { openCollector } from "../../../test/support/outside/trace-collector.ts";
import { readConfig } from "../../config/config.ts";
import { Metrics } from "../../telemetry/metrics.ts";
import { SpanExporter } from "../../telemetry/traces/span-exporter.ts";
import { responsesSocket } from "../socket.ts";
import { Traces } from "./traces.ts";

type Setting = NonNullable<Parameters<typeof gateway>[0]>;

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";
const STREAM = { ...CHAT, stream: true };
const ANSWER = {
  id: "c1",
  model: "v",
  choices: [{ index: 0, message: { content: "w0rds of an answer" }, finish_reason: "stop" }],
  usage: {
    prompt_tokens: 10,
    completion_tokens: 2,
    prompt_tokens_details: { cached_tokens: 4 },
  },
};

describe("a request that is traced", () => {
  const parts = partsOfTest();

  function traced(setting: Setting = {}, env: Record<string, string> = {}) {
    const collector = parts.keep(openCollector());
    const { traces: settings } = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...env });
    if (!settings) throw new Error("traces are off");
    const scope = { name: "faregate", version: "1" };
    const exporter = new SpanExporter({ settings, scope, metrics: new Metrics(), log: SILENT });
    const traces = new Traces(settings, (spans) => exporter.offer(spans));
    const house = gateway(Object.assign(setting, { traces }));
    /** All spans, by name, once everything is over. */
    const spans = async () => {
      await house.services.tasks.settled();
      await exporter.close(60_000);
      return Object.fromEntries(collector.spans.map((span) => [span.name, span]));
    };
    return { house, collector, spans };
  }

  const whole = () => Promise.resolve(Response.json(ANSWER));

  test("is one server span with admission, the vendor's call and the settlement below it", async () => {
    const { house, collector, spans } = traced({ send: whole });
    await house.post("chat", CHAT);
    const {
      admission,
      settlement,
      "POST /v1/chat/completions": own,
      "chat sandbox-1.0": call,
    } = await spans();
    expect(collector.spans).toHaveLength(4);
    expect(own).toMatchObject({ kind: 2, status: {} });
    expect(own?.parentSpanId).toBeUndefined();
    expect(own?.attributes).toEqual({
      "http.request.method": "POST",
      "http.route": "/v1/chat/completions",
      "http.response.status_code": 200,
      "url.scheme": "http",
      "server.address": "gateway.invalid",
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": "sandbox-1.0",
      "faregate.request.id": "req_0",
      "faregate.account.id": "acct_1",
      "faregate.key.id": "key_1",
      "faregate.channel": "sandbox",
      "faregate.billing_reason": "completed",
      "faregate.usage_source": "vendor",
      "faregate.charged_nanousd": Number(house.settled[0]?.receipt.charge.amount),
      "faregate.attempts": 1,
    });
    expect(call).toMatchObject({ kind: 3, status: {}, parentSpanId: own?.spanId });
    expect(call?.attributes).toEqual({
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "sandbox",
      "gen_ai.request.model": "sandbox-1.0",
      "gen_ai.request.stream": false,
      "gen_ai.response.id": "c1",
      "gen_ai.response.model": "sandbox-1.0",
      "gen_ai.response.finish_reasons": ["stop"],
      "gen_ai.usage.input_tokens": 10,
      "gen_ai.usage.cache_read.input_tokens": 4,
      "gen_ai.usage.output_tokens": 2,
      "http.response.status_code": 200,
      "faregate.channel": "sandbox",
      "faregate.attempt": 1,
    });
    expect(admission).toMatchObject({ kind: 1, parentSpanId: own?.spanId });
    expect(admission?.attributes["faregate.held_nanousd"]).toBeGreaterThan(0);
    expect(settlement).toMatchObject({ kind: 1, parentSpanId: own?.spanId });
    expect(new Set(collector.spans.map(({ traceId }) => traceId)).size).toBe(1);
    const order = [admission, call, settlement].map((span) => BigInt(span?.startTimeUnixNano ?? 0));
    expect(order).toEqual(order.toSorted((a, b) => Number(a - b)));
    for (const { startTimeUnixNano, endTimeUnixNano } of collector.spans) {
      expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano));
    }
  });

  test("tells nobody what was asked and answered, nor any secret", async () => {
    const { house, collector, spans } = traced({ send: whole });
    const messages = [{ role: "user", content: "a s3cret question" }];
    await house.post("chat", { ...CHAT, messages });
    await spans();
    const [sent] = collector.calls;
    expect(sent?.text).toContain("faregate.request.id");
    expect(sent?.text).not.toMatch(/s3cret|w0rds|imported-key/);
  });

  test("is the child of whoever sent its traceparent, and the vendor hears nothing of it", async () => {
    const headers = { traceparent: `00-${TRACE}-${SPAN}-01`, tracestate: "theirs=1" };
    const heard: unknown[] = [];
    const send: Setting["send"] = (call) => {
      heard.push(call.headers);
      return whole();
    };
    const { house, collector, spans } = traced({ send, headers });
    await house.post("chat", CHAT);
    const { "POST /v1/chat/completions": own } = await spans();
    expect(own).toMatchObject({ traceId: TRACE, parentSpanId: SPAN, traceState: "theirs=1" });
    expect(collector.spans.every(({ traceId }) => traceId === TRACE)).toBe(true);
    expect(heard).toEqual([undefined]);
  });

  test("is told to its vendor where an operator says so, as the span of that very call", async () => {
    const heard: (string | undefined)[] = [];
    const send: Setting["send"] = (call) => {
      heard.push(call.headers?.traceparent);
      return whole();
    };
    const { house, spans } = traced({ send }, { FAREGATE_TRACE_VENDORS: "on" });
    await house.post("chat", CHAT);
    const { "chat sandbox-1.0": call } = await spans();
    expect(heard).toEqual([`00-${call?.traceId}-${call?.spanId}-01`]);
  });

  test("says where its vendor is, by name and port", async () => {
    const { house, collector, spans } = traced({ send: whole });
    const channel = house.services.routes.states[0]?.channel ?? {};
    const addresses = ["https://api.vendor.example/v1", "http://10.0.0.7:8000/v1"];
    for (const address of addresses) {
      Object.assign(channel, { addressOf: () => address });
      await house.post("chat", CHAT);
    }
    await spans();
    const calls = collector.spans.filter(({ kind }) => kind === 3);
    expect(calls.map(({ attributes }) => attributes["server.address"])).toEqual([
      "api.vendor.example",
      "10.0.0.7",
    ]);
    expect(calls.map(({ attributes }) => attributes["server.port"])).toEqual([443, 8000]);
  });

  test("on a WebSocket is a turn, below the traceparent of its handshake", async () => {
    const { house, collector, spans } = traced();
    const headers = {
      authorization: "Bearer imported-key",
      traceparent: `00-${TRACE}-${SPAN}-01`,
    };
    const request = new Request("http://gateway.invalid/v1/responses", { headers });
    const incoming = { request, requestId: "req_s", url: new URL(request.url), params: {} };
    const accept = responsesSocket(house.services).accept;
    const { open } = await accept({
      ...incoming,
      keepOpen() {},
      isBeingAnswered: () => false,
      address: () => "",
    });
    const session = open({ send: async () => {}, close: () => {} });
    for (let i = 0; i < 2; i++) {
      session.message(JSON.stringify({ type: "response.create", ...RESPONSES }));
    }
    await spans();
    session.closed();
    const turns = collector.spans.filter(({ kind }) => kind === 2);
    expect(turns.map(({ traceId, parentSpanId }) => [traceId, parentSpanId])).toEqual([
      [TRACE, SPAN],
      [TRACE, SPAN],
    ]);
  });

  test("is not recorded where its parent is not, nor where the sampler says no", async () => {
    const unsampled = { traceparent: `00-${TRACE}-${SPAN}-00` };
    const child = traced({ send: whole, headers: unsampled });
    await child.house.post("chat", CHAT);
    await child.spans();
    expect(child.collector.calls).toHaveLength(0);
    const off = traced({ send: whole }, { OTEL_TRACES_SAMPLER: "always_off" });
    await off.house.post("chat", CHAT);
    await off.spans();
    expect(off.collector.calls).toHaveLength(0);
  });

  test("begins a trace of its own where the traceparent is not one", async () => {
    const { house, spans } = traced({ send: whole, headers: { traceparent: `00-${TRACE}-0-01` } });
    await house.post("chat", CHAT);
    const { "POST /v1/chat/completions": own } = await spans();
    expect(own?.traceId).not.toBe(TRACE);
    expect(own?.parentSpanId).toBeUndefined();
  });

  test("as a stream lasts until it is settled, with the time to its first piece", async () => {
    const vendor = fed();
    const { house, collector, spans } = traced({ send: vendor.send });
    vendor.say(DELTA);
    const response = await house.post("chat", STREAM);
    expect(collector.calls).toHaveLength(0);
    vendor.say(STOP + COUNTS + event("[DONE]"));
    vendor.end();
    await response.text();
    const { "chat sandbox-1.0": call } = await spans();
    expect(collector.spans).toHaveLength(4);
    expect(call?.attributes).toMatchObject({
      "gen_ai.request.stream": true,
      "gen_ai.response.finish_reasons": ["stop"],
      "gen_ai.usage.output_tokens": 2,
    });
    expect(call?.attributes["gen_ai.response.time_to_first_chunk"]).toBeNumber();
  });

  test("on the Responses wire says whether its answer is whole", async () => {
    const { house, spans } = traced();
    await house.post("responses", RESPONSES);
    const { "chat sandbox-1.0": call, "POST /v1/responses": own } = await spans();
    expect(own?.attributes["faregate.billing_reason"]).toBe("completed");
    expect(call?.attributes["gen_ai.response.finish_reasons"]).toEqual(["stop"]);
  });

  test("and refused has its reason on admission and on itself, and no call", async () => {
    const { house, collector, spans } = traced({
      async admit() {
        throw new Error("the disk is full");
      },
    });
    const fault = await thrownBy(house.post("chat", CHAT));
    const { admission, "POST /v1/chat/completions": own } = await spans();
    expect(collector.spans).toHaveLength(2);
    expect(own).toMatchObject({
      status: { code: 2 },
      attributes: { "http.response.status_code": fault.status, "error.type": fault.fault },
    });
    expect(admission?.attributes["error.type"]).toBe(fault.fault);
  });

  test("by an unknown key or for an unknown model is no error of the server's", async () => {
    const { house, collector, spans } = traced();
    await thrownBy(house.post("chat", { ...CHAT, model: "none-1.0" }));
    Object.assign(house.services.accounts, { findKey: () => undefined });
    await thrownBy(house.post("chat", CHAT));
    await spans();
    expect(collector.spans).toMatchObject([
      {
        status: {},
        attributes: {
          "error.type": "model_not_found",
          "http.response.status_code": 404,
          "gen_ai.request.model": "none-1.0",
          "faregate.billing_reason": "refused",
        },
      },
      { status: {}, attributes: { "error.type": "invalid_api_key" } },
    ]);
  });

  test("that its vendor fails says so on the call and on itself", async () => {
    const send = async () => Response.json({ error: { message: "boom" } }, { status: 500 });
    const { house, collector, spans } = traced({ send });
    const fault = await thrownBy(house.post("chat", CHAT));
    await spans();
    const calls = collector.spans.filter(({ kind }) => kind === 3);
    expect(calls.length).toBeGreaterThan(0);
    for (const call of calls) {
      expect(call).toMatchObject({
        status: { code: 2 },
        attributes: { "http.response.status_code": 500, "error.type": "upstream_unavailable" },
      });
    }
    const own = collector.spans.find(({ kind }) => kind === 2);
    expect(own?.attributes).toMatchObject({
      "http.response.status_code": fault.status,
      "faregate.billing_reason": "upstream_failed",
      "faregate.attempts": calls.length,
    });
  });

  test("that its client leaves ends as that", async () => {
    const vendor = fed();
    const { house, spans } = traced({ send: vendor.send });
    vendor.say(DELTA);
    const response = await house.post("chat", STREAM);
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    const { "POST /v1/chat/completions": own } = await spans();
    expect(own?.attributes).toMatchObject({
      "http.response.status_code": 499,
      "faregate.billing_reason": "client_closed",
    });
  });

  test("that could not be recorded says so, whatever its vendor did", async () => {
    const setting: Setting = { send: whole, storageOut: true };
    const { house, collector, spans } = traced(setting);
    await thrownBy(house.post("chat", CHAT));
    setting.storageOut = false;
    const { settlement, "POST /v1/chat/completions": own } = await spans();
    expect(collector.spans).toHaveLength(4);
    expect(settlement?.attributes["error.type"]).toBe("storage_unavailable");
    expect(own?.attributes["error.type"]).toBe("storage_unavailable");
  });
});
