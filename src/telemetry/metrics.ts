import { RecentRequests } from "./recent-requests.ts";

type Labels = Readonly<Record<string, string>>;

/** Label sets beyond these are one: what clients write must not grow the process. */
const SERIES_MAX = 500;
const OTHER = "other";

function escaped(text: string): string {
  return text.replace(/\\/g, "\\\\").replace(/"/g, '\\"').replace(/\n/g, "\\n");
}

function braced(labels: Labels): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return parts.length > 0 ? `{${parts.join(",")}}` : "";
}

/** How often something was, with these values of the labels. */
interface Series {
  readonly values: readonly string[];
  count: number;
}

/** A number that only grows, by the values of its labels. */
export class Counter {
  readonly name: string;
  readonly #help: string;
  readonly #labels: readonly string[];
  readonly #series = new Map<string, Series>();
  /** Those with two labels, by the one and then the other: no text is put together to find them. */
  readonly #pairs = new Map<string, Map<string, Series>>();

  constructor(name: string, help: string, labels: readonly string[] = []) {
    this.name = name;
    this.#help = help;
    this.#labels = labels;
  }

  /** Not by a list of values: it is called many times with every request. */
  add(by: number, first = "", second?: string): void {
    const series =
      second === undefined ? this.#series.get(first) : this.#pairs.get(first)?.get(second);
    if (series) series.count += by;
    else this.#open(second === undefined ? [first] : [first, second]).count += by;
  }

  #open(values: readonly string[]): Series {
    if (this.#series.size < SERIES_MAX) {
      const series = { values, count: 0 };
      this.#series.set(values.join("\n"), series);
      const [first = "", second] = values;
      if (second !== undefined) this.#pairsOf(first).set(second, series);
      return series;
    }
    const others = this.#labels.map(() => OTHER);
    const name = others.join("\n");
    const series = this.#series.get(name) ?? { values: others, count: 0 };
    this.#series.set(name, series);
    return series;
  }

  #pairsOf(first: string): Map<string, Series> {
    const known = this.#pairs.get(first);
    if (known) return known;
    const pairs = new Map<string, Series>();
    this.#pairs.set(first, pairs);
    return pairs;
  }

  /** Of these labels alone. */
  of(...values: readonly string[]): number {
    return this.#series.get(values.join("\n"))?.count ?? 0;
  }

  /** All label sets together. */
  get total(): number {
    let sum = 0;
    for (const { count } of this.#series.values()) sum += count;
    return sum;
  }

  write(): string {
    const lines = [...this.#series.values()].map(({ values, count }) => {
      const labels = Object.fromEntries(this.#labels.map((name, i) => [name, values[i] ?? ""]));
      return `${this.name}${braced(labels)} ${count}`;
    });
    if (lines.length === 0 && this.#labels.length === 0) lines.push(`${this.name} 0`);
    return `# HELP ${this.name} ${this.#help}\n# TYPE ${this.name} counter\n${lines.join("\n")}\n`;
  }
}

/** How often something took how long, in steps. */
export class Histogram {
  readonly name: string;
  readonly #help: string;
  readonly #bounds: readonly number[];
  readonly #counts: Float64Array;
  #sum = 0;

  constructor(name: string, help: string, bounds: readonly number[]) {
    this.name = name;
    this.#help = help;
    this.#bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    const { length } = this.#bounds;
    let at = 0;
    while (at < length && value > (this.#bounds[at] as number)) at++;
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    this.#sum += value;
  }

  write(): string {
    const { name } = this;
    let seen = 0;
    const lines = [...this.#counts].map((count, i) => {
      seen += count;
      return `${name}_bucket{le="${this.#bounds[i] ?? "+Inf"}"} ${seen}`;
    });
    const ends = [`${name}_sum ${this.#sum}`, `${name}_count ${seen}`];
    return `# HELP ${name} ${this.#help}\n# TYPE ${name} histogram\n${[...lines, ...ends].join("\n")}\n`;
  }
}

/** A number that is asked for when it is read. */
export interface Gauge {
  readonly name: string;
  readonly help: string;
  readonly values: readonly { readonly labels?: Labels; readonly value: number }[];
}

export function writeGauge({ name, help, values }: Gauge): string {
  const lines = values.map(({ labels, value }) => `${name}${braced(labels ?? {})} ${value}`);
  return `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${lines.join("\n")}\n`;
}

const LATENCY_BOUNDS_MS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 5_000, 30_000];
const DURATION_BOUNDS_MS = [
  50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 300_000,
];

/** What one process has done since it started. Adding to it costs a look into a map. */
export class Metrics {
  readonly requests = new Counter(
    "faregate_requests_total",
    "Finished requests, by `endpoint` and HTTP `status`.",
    ["endpoint", "status"],
  );
  readonly errors = new Counter(
    "faregate_errors_total",
    "Refused and failed requests, by the error's `code`.",
    ["code"],
  );
  readonly tokens = new Counter(
    "faregate_tokens_total",
    "Counted tokens, by `kind`: input, cached input, output.",
    ["kind"],
  );
  readonly spendNanoUsd = new Counter(
    "faregate_charged_nanousd_total",
    "Charges to accounts, in billionths of a dollar.",
  );
  readonly lossNanoUsd = new Counter(
    "faregate_loss_nanousd_total",
    "Losses that the operator pays, in billionths of a dollar.",
  );
  readonly attempts = new Counter(
    "faregate_upstream_attempts_total",
    "Calls to vendors, by `channel` and `outcome`.",
    ["channel", "outcome"],
  );
  readonly usageEstimated = new Counter(
    "faregate_usage_estimated_total",
    "Complete answers whose vendor count was partly missing or impossible, by `channel`.",
    ["channel"],
  );
  readonly usageClamped = new Counter(
    "faregate_usage_clamped_total",
    "Requests whose vendor count was corrected, by `channel`.",
    ["channel"],
  );
  readonly admissions = new Counter(
    "faregate_admissions_total",
    "Admission decisions, by `outcome`; a waiting request is decided again.",
    ["outcome"],
  );
  readonly storageFailures = new Counter(
    "faregate_storage_failures_total",
    "Storage operations that failed or took too long, by `operation`.",
    ["operation"],
  );
  readonly commitMs = new Histogram(
    "faregate_commit_milliseconds",
    "Time of a settlement until it is on disk.",
    LATENCY_BOUNDS_MS,
  );
  readonly admitMs = new Histogram(
    "faregate_admit_milliseconds",
    "Time of an admission decision.",
    LATENCY_BOUNDS_MS,
  );
  readonly durationMs = new Histogram(
    "faregate_request_milliseconds",
    "Time from a request to the end of its answer.",
    DURATION_BOUNDS_MS,
  );
  readonly loopDelayMs = new Histogram(
    "faregate_loop_delay_milliseconds",
    "Delay of the event loop, sampled several times a second.",
    LATENCY_BOUNDS_MS,
  );
  readonly spansExported = new Counter(
    "faregate_trace_spans_exported_total",
    "Spans that the trace collector accepted.",
  );
  readonly spansDropped = new Counter(
    "faregate_trace_spans_dropped_total",
    "Spans that were dropped, by `reason`.",
    ["reason"],
  );
  /** Whether the books could be written to when that was tried last. */
  storageUp = true;
  /** Since when and why they cannot be. */
  storageOutage: { readonly sinceMs: number; readonly reason: string } | undefined;
  /** Requests of the last minutes. */
  readonly recent = new RecentRequests();
  /** Questions that storage has not answered yet. */
  storageQueue = 0;
  /** Requests of this process that hold money; whoever keeps their holds says how many. */
  holding: () => number = () => 0;

  /** As Prometheus reads it, followed by what is only known at this moment. */
  write(gauges: readonly Gauge[]): string {
    const kept = [
      this.requests,
      this.errors,
      this.tokens,
      this.spendNanoUsd,
      this.lossNanoUsd,
      this.attempts,
      this.usageEstimated,
      this.usageClamped,
      this.admissions,
      this.storageFailures,
      this.commitMs,
      this.admitMs,
      this.durationMs,
      this.loopDelayMs,
      this.spansExported,
      this.spansDropped,
    ];
    return [...kept.map((metric) => metric.write()), ...gauges.map(writeGauge)].join("");
  }
}
