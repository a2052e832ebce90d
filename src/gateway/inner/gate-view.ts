import type { Clock } from "../../lib/clock.ts";
import type { Gauge, Metrics } from "../../telemetry/metrics.ts";
import type { RecentCounts } from "../../telemetry/recent-requests.ts";
import type { ChannelStatus } from "../../upstream/channels/channel-state.ts";
import { type ChannelTest, testChannel } from "../../upstream/channels/channel-test.ts";
import type { Services } from "../services.ts";

/** How often a vendor's counts were not what was charged. */
interface DoubtedCounts {
  readonly estimated: number;
  readonly clamped: number;
}

/** What only the process knows that relays. Plain values: whoever asks may be another process. */
export interface GateFacts extends GateHealth {
  readonly startedAtMs: number;
  readonly uptimeMs: number;
  /** What vendors have told that they have, by channel. */
  readonly listed: Readonly<Record<string, readonly string[]>>;
  /** Since it started, by channel. */
  readonly counts: Readonly<Record<string, DoubtedCounts>>;
  readonly storageQueue: number;
  /** Requests that hold money, that wait for it, and that have ended. */
  readonly holding: number;
  readonly waiting: number;
  readonly ended: number;
  readonly memory: { readonly residentBytes: number; readonly heapBytes: number };
}

/** How the gates do: of several, what the worst of them knows, and the requests of all. */
export interface GateHealth {
  readonly channels: readonly ChannelStatus[];
  /** Since when and why the books cannot be written to; null while they can. */
  readonly storage: { readonly sinceMs: number; readonly reason: string } | null;
  readonly recent: RecentCounts;
}

/** What the pages may ask of the gate that relays. */
export interface GateView {
  facts(): Promise<GateFacts>;
  health(): Promise<GateHealth>;
  /** As Prometheus reads them. */
  metrics(): Promise<string>;
  /** Undefined where there is nothing that the channel could be asked. */
  test(channelId: string, model: string | undefined): Promise<ChannelTest | undefined>;
  /** The channel, as it is stored now, has answered before it was saved. */
  prove(channelId: string): Promise<void>;
}

interface OwnGateParts {
  readonly services: Pick<
    Services,
    "routes" | "wires" | "catalogue" | "clock" | "admission" | "drains"
  >;
  readonly metrics: Metrics;
  readonly startedAtMs: number;
  /** Which of several gates on one port this is. */
  readonly worker?: number | undefined;
  /** Takes into force what operators have set up to now. */
  reload(): Promise<void>;
}

/** A line with a value: its name, and its labels where it has any. */
const SERIES = /^(faregate_\w+)(?:\{(.*)\})? /gm;

function gauge(name: string, help: string, value: number): Gauge {
  return { name: `faregate_${name}`, help, values: [{ value }] };
}

function later(atMs: number | undefined, byMs: number): number | undefined {
  return atMs === undefined ? undefined : atMs + byMs;
}

/** Channels are measured by a clock that nobody sets; people read the one on the wall. */
function onTheWall(status: ChannelStatus, aheadMs: number): ChannelStatus {
  const { cooledUntilMs, lastError, credentials, answeredAtMs, failedAtMs } = status;
  return {
    ...status,
    answeredAtMs: later(answeredAtMs, aheadMs),
    failedAtMs: later(failedAtMs, aheadMs),
    cooledUntilMs: later(cooledUntilMs, aheadMs),
    lastError: lastError && { ...lastError, atMs: lastError.atMs + aheadMs },
    credentials: credentials.map((credential) => ({
      ...credential,
      cooledUntilMs: later(credential.cooledUntilMs, aheadMs),
    })),
  };
}

/** The gate of this very process. */
export class OwnGate implements GateView {
  readonly #parts: OwnGateParts;
  readonly #clock: Clock;
  readonly #openedAtMs: number;

  constructor(parts: OwnGateParts) {
    this.#parts = parts;
    this.#clock = parts.services.clock;
    this.#openedAtMs = parts.services.routes.now();
  }

  async facts(): Promise<GateFacts> {
    const { services, metrics, startedAtMs } = this.#parts;
    const { routes, admission } = services;
    const aheadMs = this.#clock() - routes.now();
    const channels = routes.status().map((status) => onTheWall(status, aheadMs));
    const { rss, heapUsed } = process.memoryUsage();
    return {
      startedAtMs,
      uptimeMs: this.#uptimeMs(),
      channels,
      storage: metrics.storageOutage ?? null,
      recent: metrics.recent.counts(),
      listed: Object.fromEntries(routes.listed),
      counts: Object.fromEntries(channels.map(({ id }) => [id, this.#counts(id)])),
      storageQueue: metrics.storageQueue,
      holding: metrics.holding(),
      waiting: admission.waiting,
      ended: metrics.requests.total,
      memory: { residentBytes: rss, heapBytes: heapUsed },
    };
  }

  async health(): Promise<GateHealth> {
    const { channels, storage, recent } = await this.facts();
    return { channels, storage, recent };
  }

  #uptimeMs(): number {
    return this.#parts.services.routes.now() - this.#openedAtMs;
  }

  #counts(channelId: string): DoubtedCounts {
    const { usageEstimated, usageClamped } = this.#parts.metrics;
    return { estimated: usageEstimated.of(channelId), clamped: usageClamped.of(channelId) };
  }

  async metrics(): Promise<string> {
    const text = this.#parts.metrics.write(this.#gauges());
    const { worker } = this.#parts;
    if (worker === undefined) return text;
    return text.replace(SERIES, (_line, name, labels) => {
      const all = [`worker="${worker}"`, ...(labels ? [labels] : [])];
      return `${name}{${all.join(",")}} `;
    });
  }

  /** What is only known at the moment of asking. */
  #gauges(): Gauge[] {
    const { services, metrics } = this.#parts;
    const { routes, admission, drains } = services;
    const channels = routes.status().filter(({ enabled }) => enabled);
    const uptime = this.#uptimeMs() / 1_000;
    return [
      gauge("uptime_seconds", "Seconds since this process started.", uptime),
      gauge("resident_bytes", "Memory of this process.", process.memoryUsage.rss()),
      gauge("requests_holding", "Requests of this process that hold money.", metrics.holding()),
      gauge("requests_waiting", "Requests that wait for money.", admission.waiting),
      gauge(
        "answers_unattended",
        "Answers that are being finished after their client left.",
        drains.running,
      ),
      gauge(
        "storage_up",
        "1 while storage takes settlements, else 0, as `/readyz` says.",
        metrics.storageUp ? 1 : 0,
      ),
      gauge("storage_queue", "Storage operations without an answer yet.", metrics.storageQueue),
      {
        name: "faregate_channel_up",
        help: "1 while requests go to a `channel` of a `vendor`; 0 while it rests or has no usable key.",
        values: channels.map(({ id, vendor, state }) => ({
          labels: { channel: id, vendor },
          value: state === "cooled" || state === "refused" ? 0 : 1,
        })),
      },
    ];
  }

  async test(channelId: string, model: string | undefined): Promise<ChannelTest | undefined> {
    const state = this.#stateOf(channelId);
    return state && testChannel(this.#parts.services, state, model);
  }

  async prove(channelId: string): Promise<void> {
    await this.#parts.reload();
    this.#stateOf(channelId)?.proven();
  }

  #stateOf(channelId: string) {
    return this.#parts.services.routes.states.find(({ channel }) => channel.id === channelId);
  }
}
