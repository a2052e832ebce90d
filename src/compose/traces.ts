import { version } from "../../package.json" with { type: "json" };
import type { Config } from "../config/config.ts";
import { Traces } from "../gateway/tracing/traces.ts";
import { newId } from "../lib/ids.ts";
import type { Log } from "../telemetry/log.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { SpanExporter } from "../telemetry/traces/span-exporter.ts";
import type { TraceSettings } from "../telemetry/traces/trace-settings.ts";

const SCOPE = { name: "faregate", version };

/** What records requests and brings that to a collector. */
export function openTraces(
  settings: TraceSettings,
  { limits }: Pick<Config, "limits">,
  metrics: Metrics,
  log: Log,
) {
  const resource = {
    "service.version": version,
    "service.instance.id": newId("gate_"),
    ...settings.resource,
  };
  const exporter = new SpanExporter({
    ...{ settings: { ...settings, resource }, scope: SCOPE, metrics, log },
  });
  return {
    traces: new Traces(settings, (spans) => exporter.offer(spans)),
    close: () => exporter.close(limits.trace_flush_ms),
  };
}
