import { describe, expect, test } from "bun:test";
import { readTraces } from "./traces.ts";

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318/base/" };

describe("the variables of OpenTelemetry", () => {
  test.each<Record<string, string>>([
    {},
    { OTEL_SERVICE_NAME: "mine", OTEL_TRACES_SAMPLER: "always_on" },
    { ...ENDPOINT, OTEL_SDK_DISABLED: "TRUE" },
    { ...ENDPOINT, OTEL_TRACES_EXPORTER: "none" },
    { OTEL_EXPORTER_OTLP_ENDPOINT: "", OTEL_TRACES_EXPORTER: "" },
  ])("leave traces off with %p", (env) => {
    expect(readTraces(env)).toBeUndefined();
  });

  test("have the defaults of their specification", () => {
    expect(readTraces({ OTEL_TRACES_EXPORTER: "otlp" })).toEqual({
      endpoint: "http://localhost:4318/v1/traces",
      protocol: "http/json",
      headers: {},
      resource: { "service.name": "faregate" },
      sampling: { ratio: 1, parentBased: true },
      callMs: 10_000,
      exportMs: 30_000,
      queueMax: 2_048,
      delayMs: 5_000,
      batchMax: 512,
      tellVendors: false,
    });
  });

  test("say where traces go: the address of all signals with a path behind it, that of traces as it is", () => {
    expect(readTraces(ENDPOINT)?.endpoint).toBe("http://collector:4318/base/v1/traces");
    const own = { ...ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://other/in?x=1" };
    expect(readTraces(own)?.endpoint).toBe("https://other/in?x=1");
  });

  test("have headers and attributes with commas between them, and percent signs in them", () => {
    const read = readTraces({
      ...ENDPOINT,
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20abc==, x-team = core ,",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=prod,service.name=theirs,note=a%2Cb",
    });
    expect(read?.headers).toEqual({ authorization: "Bearer abc==", "x-team": "core" });
    expect(read?.resource).toEqual({
      "deployment.environment.name": "prod",
      "service.name": "theirs",
      note: "a,b",
    });
    const named = {
      ...ENDPOINT,
      OTEL_SERVICE_NAME: "mine",
      OTEL_RESOURCE_ATTRIBUTES: "service.name=theirs",
    };
    expect(readTraces(named)?.resource).toEqual({ "service.name": "mine" });
    const own = {
      ...ENDPOINT,
      OTEL_EXPORTER_OTLP_HEADERS: "a=1",
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: "b=2",
    };
    expect(readTraces(own)?.headers).toEqual({ b: "2" });
  });

  test.each([
    ["always_on", { ratio: 1, parentBased: false }],
    ["always_off", { ratio: 0, parentBased: false }],
    ["traceidratio", { ratio: 0.25, parentBased: false }],
    ["parentbased_always_on", { ratio: 1, parentBased: true }],
    ["parentbased_always_off", { ratio: 0, parentBased: true }],
    ["parentbased_traceidratio", { ratio: 0.25, parentBased: true }],
  ])("sample as %s says", (sampler, sampling) => {
    const env = { ...ENDPOINT, OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: "0.25" };
    expect(readTraces(env)?.sampling).toEqual(sampling);
  });

  test("choose how spans are written, for traces before all signals", () => {
    const all = { ...ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf" };
    expect(readTraces(all)?.protocol).toBe("http/protobuf");
    const own = { ...all, OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "http/json" };
    expect(readTraces(own)?.protocol).toBe("http/json");
  });

  test("never have a queue smaller than a batch", () => {
    expect(readTraces({ ...ENDPOINT, OTEL_BSP_MAX_QUEUE_SIZE: "10" })?.batchMax).toBe(10);
  });

  test.each([
    [
      { OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
      /OTEL_EXPORTER_OTLP_PROTOCOL is "grpc"; .*http\/json/,
    ],
    [
      { OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "grpc" },
      /OTEL_EXPORTER_OTLP_TRACES_PROTOCOL is "grpc"/,
    ],
    [
      { OTEL_TRACES_EXPORTER: "zipkin" },
      /OTEL_TRACES_EXPORTER is "zipkin"; it must be one of otlp, none/,
    ],
    [{ OTEL_TRACES_SAMPLER: "some" }, /OTEL_TRACES_SAMPLER is "some"/],
    [{ OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "2" }, /from 0 to 1/],
    [{ OTEL_BSP_SCHEDULE_DELAY: "soon" }, /OTEL_BSP_SCHEDULE_DELAY is "soon"/],
    [{ OTEL_EXPORTER_OTLP_HEADERS: "sekret" }, /OTEL_EXPORTER_OTLP_HEADERS must be name=value/],
    [
      { OTEL_EXPORTER_OTLP_HEADERS: "a b=1" },
      /OTEL_EXPORTER_OTLP_HEADERS has a name or a value that a header cannot have/,
    ],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" },
      /OTEL_EXPORTER_OTLP_ENDPOINT is not an address/,
    ],
  ])("with %p are refused in so many words", (env, words) => {
    const read = () => readTraces({ ...ENDPOINT, ...env });
    expect(read).toThrow(words);
    expect(read).not.toThrow(/sekret/);
  });
});
