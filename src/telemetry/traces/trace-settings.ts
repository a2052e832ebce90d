import type { Sampling } from "./sampler.ts";
import type { Attributes } from "./span.ts";
import type { Protocol } from "./span-encoding.ts";

/** How traces are made and where they go, as the variables of OpenTelemetry say it. */
export interface TraceSettings {
  /** The whole address that spans are posted to. */
  readonly endpoint: string;
  readonly protocol: Protocol;
  readonly headers: Readonly<Record<string, string>>;
  readonly resource: Attributes;
  readonly sampling: Sampling;
  /** One call of the collector, and all that is tried with one batch. */
  readonly callMs: number;
  readonly exportMs: number;
  /** The queue: how many spans wait at most, how long, and how many go at once. */
  readonly queueMax: number;
  readonly delayMs: number;
  readonly batchMax: number;
  /** Whether vendors are told which trace their call belongs to. */
  readonly tellVendors: boolean;
}
