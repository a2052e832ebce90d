import type { Guards } from "../../accounts/guards.ts";
import type { Route } from "../../lib/route.ts";
import type { Gauge } from "../../telemetry/metrics.ts";
import { SHOW_METRICS, SHOW_SYSTEM, type SystemFacts } from "./contract/system.ts";
import type { OperatorServices } from "./services.ts";

function gauge(name: string, help: string, value: number): Gauge {
  return { name: `faregate_${name}`, help, values: [{ value }] };
}

/** What is only known at the moment of asking. */
function gaugesOf(services: OperatorServices): Gauge[] {
  const { metrics, routes, clock, startedAtMs } = services;
  const { waiting, unattended } = services.gauges();
  const channels = routes.status().filter(({ enabled }) => enabled);
  return [
    gauge("uptime_seconds", "Since this process started.", (clock() - startedAtMs) / 1_000),
    gauge("resident_bytes", "Memory of this process.", process.memoryUsage.rss()),
    gauge("requests_holding", "Requests of this process that hold money.", metrics.holding),
    gauge("requests_waiting", "Requests that wait for money.", waiting),
    gauge("answers_unattended", "Answers that are finished without their client.", unattended),
    gauge(
      "draft_calls_waiting",
      "Calls for drafts that wait for another one.",
      metrics.draftCallsWaiting,
    ),
    gauge("storage_queue", "Questions that storage has not answered.", metrics.storageQueue),
    {
      name: "faregate_channel_up",
      help: "Whether requests go to a channel: 1, or 0 while it is cooled or refused.",
      values: channels.map(({ id, vendor, state }) => ({
        labels: { channel: id, vendor },
        value: state === "cooled" || state === "refused" ? 0 : 1,
      })),
    },
  ];
}

function metricsAnswer(services: OperatorServices): Response {
  const text = services.metrics.write(gaugesOf(services));
  return new Response(text, { headers: { "content-type": SHOW_METRICS.answer.contentType } });
}

async function systemFacts(services: OperatorServices): Promise<SystemFacts> {
  const { books, metrics, routes, installation, clock, mail, startedAtMs, version } = services;
  const { rss, heapUsed } = process.memoryUsage();
  return {
    object: "system",
    version,
    runtime: `Bun ${Bun.version}`,
    started_at: new Date(startedAtMs).toISOString(),
    uptime_seconds: Math.floor((clock() - startedAtMs) / 1_000),
    database: await books.database(),
    storage_queue: metrics.storageQueue,
    open_holds: await books.openHolds(),
    requests_holding: metrics.holding,
    requests_waiting: services.gauges().waiting,
    requests_ended: metrics.requests.total,
    memory: { resident_bytes: rss, heap_bytes: heapUsed },
    sandbox_only: installation.sandboxOnly,
    revision: installation.snapshot.revision,
    channels: routes
      .status()
      .map(({ id, vendor, enabled, state }) => ({ id, vendor, enabled, state })),
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
  const scrape = async () => metricsAnswer(services);
  const { method, path } = SHOW_METRICS;
  return [
    metricsPublic
      ? { method, path, operation: SHOW_METRICS, handle: scrape }
      : guards.operator(SHOW_METRICS, scrape),
    guards.operator(SHOW_SYSTEM, () => systemFacts(services)),
  ];
}
