import { describe, expect, test } from "bun:test";
import { partsOfTest } from "../../../test/support/houses/house.ts";
import { setEnvironment } from "../../../test/support/outside/environment.ts";
import { openCollector } from "../../../test/support/outside/trace-collector.ts";
import { eventually } from "../../../test/support/waiting.ts";
import { createLog } from "../log.ts";
import { Metrics } from "../metrics.ts";
import { newSpanId, newTraceId, type Span } from "./span.ts";
import { SpanExporter } from "./span-exporter.ts";
import type { TraceSettings } from "./trace-settings.ts";

const SETTINGS: TraceSettings = {
  endpoint: "",
  protocol: "http/json",
  headers: { "x-collector-key": "k" },
  resource: { "service.name": "faregate" },
  sampling: { ratio: 1, parentBased: true },
  callMs: 60_000,
  exportMs: 60_000,
  queueMax: 8,
  // As good as never: what is sent is sent for another reason.
  delayMs: 3_600_000,
  batchMax: 4,
  tellVendors: false,
};

function spans(count: number): Span[] {
  return Array.from({ length: count }, (_, i) => ({
    traceId: newTraceId(),
    spanId: newSpanId(),
    parentId: undefined,
    remoteParent: false,
    traceState: undefined,
    name: `span ${i}`,
    kind: "server",
    startMs: 1_794_800_000_000.25,
    endMs: 1_794_800_000_001.5,
    attributes: { text: "a", whole: 7, large: 2n ** 60n, part: 0.5, list: ["x"], not: undefined },
    failed: i === 1,
  }));
}

describe("spans on their way to a collector", () => {
  const parts = partsOfTest();

  function exporting(change: Partial<TraceSettings> = {}) {
    const collector = parts.keep(openCollector());
    const metrics = new Metrics();
    const logged: string[] = [];
    const exporter = new SpanExporter({
      settings: { ...SETTINGS, endpoint: `${collector.url}/v1/traces`, ...change },
      scope: { name: "faregate", version: "1" },
      metrics,
      log: createLog("debug", (line) => logged.push(JSON.parse(line).event)),
    });
    const counted = (reason: string) => metrics.spansDropped.of(reason);
    return { collector, metrics, exporter, logged, counted };
  }

  test("are OTLP, with exact times and all that was told of them", async () => {
    const { collector, exporter, metrics } = exporting();
    exporter.offer(spans(2));
    await exporter.close(60_000);
    const [first, second] = collector.spans;
    expect(first).toMatchObject({
      name: "span 0",
      kind: 2,
      startTimeUnixNano: "1794800000000250000",
      endTimeUnixNano: "1794800000001500000",
      attributes: { text: "a", whole: 7, large: 2 ** 60, part: 0.5, list: ["x"] },
      status: {},
    });
    expect(Object.keys(first?.attributes ?? {})).not.toContain("not");
    expect(second?.status).toEqual({ code: 2 });
    expect(collector.resource).toEqual({ "service.name": "faregate" });
    expect(collector.calls[0]?.headers.get("x-collector-key")).toBe("k");
    expect(collector.calls[0]?.headers.get("content-type")).toBe("application/json");
    expect(metrics.spansExported.total).toBe(2);
  });

  test("are the same as protocol buffers", async () => {
    const written = spans(2).map((span) => ({ ...span, parentId: newSpanId(), traceState: "a=ü" }));
    const sent = async (protocol: TraceSettings["protocol"]) => {
      const { collector, exporter } = exporting({ protocol });
      exporter.offer([{ ...written[0], attributes: { less: -7, none: 0, no: false } } as Span]);
      exporter.offer(written);
      await exporter.close(60_000);
      return { spans: collector.spans, resource: collector.resource, calls: collector.calls };
    };
    const [json, binary] = [await sent("http/json"), await sent("http/protobuf")];
    expect(binary.spans).toEqual(json.spans);
    expect(binary.spans).toHaveLength(3);
    expect(binary.spans[0]?.attributes).toEqual({ less: -7, none: 0, no: false });
    expect(binary.resource).toEqual(json.resource);
    expect(binary.calls[0]?.headers.get("content-type")).toBe("application/x-protobuf");
  });

  test("that are rejected in part are counted in protocol buffers too", async () => {
    const { collector, exporter, metrics, counted } = exporting({ protocol: "http/protobuf" });
    // A partial success with three of them rejected, and one with none.
    const answer =
      (...bytes: number[]) =>
      () =>
        new Response(Buffer.from(bytes));
    collector.answers.push(answer(0x0a, 0x02, 0x08, 0x03), answer(0x0a, 0x00));
    for (const taken of [1, 5]) {
      exporter.offer(spans(4));
      await eventually("they are taken", () => metrics.spansExported.total === taken);
    }
    expect(counted("refused")).toBe(3);
    await exporter.close(60_000);
  });

  test("go as soon as there is a batch of them, no more than a batch at once", async () => {
    const { collector, exporter } = exporting();
    for (let i = 0; i < 6; i++) exporter.offer(spans(1));
    await eventually("a batch is there", () => collector.spans.length >= 4);
    await exporter.close(60_000);
    expect(collector.batches).toEqual([4, 2]);
  });

  test("go after a while where there is no batch of them", async () => {
    const { collector, exporter } = exporting({ delayMs: 1 });
    exporter.offer(spans(1));
    await eventually("it is there", () => collector.spans.length === 1);
    exporter.offer(spans(1));
    await eventually("the next one is there", () => collector.spans.length === 2);
    await exporter.close(60_000);
  });

  test("are dropped and counted beyond the queue while a collector is slow", async () => {
    const { collector, exporter, metrics, counted } = exporting();
    const slow = Promise.withResolvers<Response>();
    collector.answers.push(() => slow.promise);
    exporter.offer(spans(4));
    await eventually("the collector is asked", () => collector.calls.length === 1);
    for (let i = 0; i < 5; i++) exporter.offer(spans(3));
    // Eight wait at most; the spans of one request are kept or dropped together.
    expect(counted("queue_full")).toBe(9);
    slow.resolve(Response.json({}));
    await exporter.close(60_000);
    expect(metrics.spansExported.total).toBe(10);
  });

  test("are sent again where a collector is out for a moment, which is told once each way", async () => {
    const { collector, exporter, metrics, logged } = exporting({ exportMs: 1_000 });
    const out = () => new Response(null, { status: 503, headers: { "retry-after": "0.01" } });
    collector.answers.push(out, out);
    exporter.offer(spans(4));
    await eventually("they are taken", () => metrics.spansExported.total === 4);
    expect([collector.calls.length, logged]).toEqual([3, []]);
    const long = () => new Response(null, { status: 429, headers: { "retry-after": "3600" } });
    collector.answers.push(long, long);
    exporter.offer(spans(4));
    await eventually("they are given up", () => metrics.spansDropped.of("unreachable") === 4);
    exporter.offer(spans(4));
    await eventually("these too", () => metrics.spansDropped.of("unreachable") === 8);
    exporter.offer(spans(4));
    await eventually("and then taken", () => metrics.spansExported.total === 8);
    expect(logged).toEqual(["traces_not_exported", "traces_exported_again"]);
    await exporter.close(60_000);
  });

  test("are not sent again where the collector will not have them", async () => {
    const { collector, exporter, metrics, counted } = exporting();
    collector.answers.push(
      () => new Response(null, { status: 400 }),
      () => Response.redirect("http://127.0.0.1:1/"),
      () => Response.json({ partialSuccess: { rejectedSpans: "3", errorMessage: "no" } }),
    );
    for (let i = 0; i < 3; i++) {
      exporter.offer(spans(4));
      await eventually(
        "it has answered",
        () => counted("refused") + metrics.spansExported.total === 4 * (i + 1),
      );
    }
    expect([counted("refused"), metrics.spansExported.total]).toEqual([11, 1]);
    expect(collector.calls).toHaveLength(3);
    await exporter.close(60_000);
  });

  test("do not keep a process from ending: what a dead collector does not take is dropped", async () => {
    const { collector, exporter, counted } = exporting();
    const never = Promise.withResolvers<Response>();
    collector.answers.push(() => never.promise);
    for (let i = 0; i < 6; i++) exporter.offer(spans(1));
    await exporter.close(1);
    expect(counted("shutdown")).toBe(6);
    exporter.offer(spans(1));
    expect(counted("shutdown")).toBe(7);
    never.resolve(Response.json({}));
  });

  test("go to a collector on this machine without the proxy that there is for others", async () => {
    const proxy = parts.keep(openCollector());
    setEnvironment(parts, { http_proxy: proxy.url });
    const { collector, exporter } = exporting();
    exporter.offer(spans(1));
    await exporter.close(60_000);
    expect([collector.calls.length, proxy.calls.length]).toEqual([1, 0]);
  });
});
