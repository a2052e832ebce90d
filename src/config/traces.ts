// The variables of OpenTelemetry, as its specification names them. One that is empty counts as unset.
import type { Sampling } from "../telemetry/traces/sampler.ts";
import { PROTOCOLS, type Protocol } from "../telemetry/traces/span-encoding.ts";
import type { TraceSettings } from "../telemetry/traces/trace-settings.ts";
import { type Environment, oneOf, webAddress, wholeNumber } from "./environment.ts";
import { ConfigError } from "./members.ts";

const OTLP = "OTEL_EXPORTER_OTLP_";
const OTLP_TRACES = `${OTLP}TRACES_`;
const COLLECTOR = "http://localhost:4318";
const TRACES_PATH = "/v1/traces";
const SERVICE = "faregate";
const MS_MAX = 3_600_000;
const SPANS_MAX = 1_000_000;

const SAMPLERS: Readonly<Record<string, (ratio: () => number) => Sampling>> = {
  parentbased_always_on: () => ({ ratio: 1, parentBased: true }),
  always_on: () => ({ ratio: 1, parentBased: false }),
  always_off: () => ({ ratio: 0, parentBased: false }),
  traceidratio: (ratio) => ({ ratio: ratio(), parentBased: false }),
  parentbased_always_off: () => ({ ratio: 0, parentBased: true }),
  parentbased_traceidratio: (ratio) => ({ ratio: ratio(), parentBased: true }),
};

/** What is said of traces, or else of all that is exported. */
function said(env: Environment, word: string): [name: string, value: string | undefined] {
  const own = `${OTLP_TRACES}${word}`;
  return env[own] ? [own, env[own]] : [`${OTLP}${word}`, env[`${OTLP}${word}`] || undefined];
}

function readEndpoint(env: Environment): string {
  const own = env[`${OTLP_TRACES}ENDPOINT`];
  if (own) return webAddress(`${OTLP_TRACES}ENDPOINT`, own);
  return `${webAddress(`${OTLP}ENDPOINT`, env[`${OTLP}ENDPOINT`] || COLLECTOR)}${TRACES_PATH}`;
}

function readProtocol(env: Environment): Protocol {
  const [name, value = "http/json"] = said(env, "PROTOCOL");
  const found = PROTOCOLS.find((protocol) => protocol === value);
  if (found !== undefined) return found;
  throw new ConfigError(
    `${name} is "${value}"; it must be ${PROTOCOLS.join(" or ")}, which collectors accept on their HTTP port, mostly 4318.`,
  );
}

/** `name=value,name=value`, with what could be mistaken written as percent and two digits. */
function readPairs(name: string, text: string | undefined): Record<string, string> {
  const pairs: Record<string, string> = {};
  for (const pair of (text ?? "").split(",")) {
    if (pair.trim() === "") continue;
    const at = pair.indexOf("=");
    const key = pair.slice(0, Math.max(0, at)).trim();
    try {
      if (key === "") throw new URIError("no name");
      pairs[decodeURIComponent(key)] = decodeURIComponent(pair.slice(at + 1).trim());
    } catch {
      // Its value may be a secret, so it is not repeated.
      throw new ConfigError(`${name} must be name=value pairs with commas between them.`);
    }
  }
  return pairs;
}

function readHeaders(env: Environment): Record<string, string> {
  const [name, text] = said(env, "HEADERS");
  const pairs = readPairs(name, text);
  try {
    return Object.fromEntries(new Headers(pairs));
  } catch {
    throw new ConfigError(`${name} has a name or a value that a header cannot have.`);
  }
}

function readRatio(env: Environment): number {
  const text = env.OTEL_TRACES_SAMPLER_ARG || "1";
  const ratio = Number(text);
  if (ratio >= 0 && ratio <= 1) return ratio;
  throw new ConfigError(`OTEL_TRACES_SAMPLER_ARG is "${text}"; it must be a number from 0 to 1.`);
}

function readSampling(env: Environment): Sampling {
  const name = oneOf(env, "OTEL_TRACES_SAMPLER", Object.keys(SAMPLERS));
  return SAMPLERS[name]?.(() => readRatio(env)) ?? { ratio: 1, parentBased: true };
}

/** Whether traces are wanted: they are where somebody says where they go, or that they should. */
function isOn(env: Environment): boolean {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === "true") return false;
  if (env.OTEL_TRACES_EXPORTER) {
    return oneOf(env, "OTEL_TRACES_EXPORTER", ["otlp", "none"]) === "otlp";
  }
  return Boolean(env[`${OTLP}ENDPOINT`] || env[`${OTLP_TRACES}ENDPOINT`]);
}

/** How traces are made and where they go; undefined where there are none, which costs nothing. */
export function readTraces(env: Environment): TraceSettings | undefined {
  const tellVendors = oneOf(env, "FAREGATE_TRACE_VENDORS", ["off", "on"]) === "on";
  if (!isOn(env)) return undefined;
  const resource = readPairs("OTEL_RESOURCE_ATTRIBUTES", env.OTEL_RESOURCE_ATTRIBUTES);
  const service = env.OTEL_SERVICE_NAME || resource["service.name"] || SERVICE;
  const queueMax = wholeNumber(env, "OTEL_BSP_MAX_QUEUE_SIZE", 2_048, SPANS_MAX, 1);
  const batchMax = wholeNumber(env, "OTEL_BSP_MAX_EXPORT_BATCH_SIZE", 512, SPANS_MAX, 1);
  const [timeout] = said(env, "TIMEOUT");
  return Object.freeze({
    endpoint: readEndpoint(env),
    protocol: readProtocol(env),
    headers: readHeaders(env),
    resource: { ...resource, "service.name": service },
    sampling: readSampling(env),
    callMs: wholeNumber(env, timeout, 10_000, MS_MAX, 1),
    exportMs: wholeNumber(env, "OTEL_BSP_EXPORT_TIMEOUT", 30_000, MS_MAX, 1),
    queueMax,
    delayMs: wholeNumber(env, "OTEL_BSP_SCHEDULE_DELAY", 5_000, MS_MAX, 1),
    batchMax: Math.min(batchMax, queueMax),
    tellVendors,
  });
}
