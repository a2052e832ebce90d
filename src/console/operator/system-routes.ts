import type { Guards } from "../../accounts/guards.ts";
import type { Route } from "../../lib/route.ts";
import { writeGauge } from "../../telemetry/metrics.ts";
import { SHOW_METRICS, SHOW_SYSTEM, type SystemFacts } from "./contract/system.ts";
import type { OperatorServices } from "./services.ts";

/** The gate's own, and what is only known where drafts are written. */
async function metricsAnswer({ gate, draftCallsWaiting }: OperatorServices): Promise<Response> {
  const waiting = writeGauge({
    name: "faregate_draft_calls_waiting",
    help: "Calls for drafts that wait for a call that works on the same draft.",
    values: [{ value: draftCallsWaiting() }],
  });
  const text = `${await gate.metrics()}${waiting}`;
  return new Response(text, { headers: { "content-type": SHOW_METRICS.answer.contentType } });
}

async function systemFacts(services: OperatorServices): Promise<SystemFacts> {
  const { books, installation, mail, version } = services;
  const { startedAtMs, uptimeMs, memory, channels, ...facts } = await services.facts();
  return {
    object: "system",
    version,
    runtime: `Bun ${Bun.version}`,
    started_at: new Date(startedAtMs).toISOString(),
    uptime_seconds: Math.floor(uptimeMs / 1_000),
    database: await books.database(),
    storage_queue: facts.storageQueue,
    open_holds: await books.openHolds(),
    requests_holding: facts.holding,
    requests_waiting: facts.waiting,
    requests_ended: facts.ended,
    memory: { resident_bytes: memory.residentBytes, heap_bytes: memory.heapBytes },
    sandbox_only: installation.sandboxOnly,
    revision: installation.snapshot.revision,
    channels: channels.map(({ id, vendor, enabled, state, reason = null }) => ({
      id,
      vendor,
      enabled,
      state,
      reason,
    })),
    problems: [...installation.problems].map(([subject, message]) => ({ subject, message })),
    mail: mail ? { server: mail.server, from: mail.from } : null,
    metrics_url: SHOW_METRICS.path,
  };
}

export function systemRoutes(
  services: OperatorServices,
  guards: Guards,
  metricsPublic: boolean,
): readonly Route[] {
  const scrape = () => metricsAnswer(services);
  const { method, path } = SHOW_METRICS;
  return [
    metricsPublic
      ? { method, path, operation: SHOW_METRICS, handle: scrape }
      : guards.operator(SHOW_METRICS, scrape),
    guards.operator(SHOW_SYSTEM, () => systemFacts(services)),
  ];
}
