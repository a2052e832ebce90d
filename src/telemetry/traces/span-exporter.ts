import { directIfHere } from "../../lib/net/direct.ts";
import { yieldToLoop } from "../../lib/yield-to-loop.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import { JSON_ENCODING } from "./otlp-json.ts";
import { PROTOBUF_ENCODING } from "./otlp-protobuf.ts";
import type { Span } from "./span.ts";
import type { Protocol, Scope, SpanEncoding } from "./span-encoding.ts";
import type { TraceSettings } from "./trace-settings.ts";

/** Spans that are written as text in one step; a batch of hundreds would hold up who relays. */
const WRITTEN_AT_ONCE = 32;
/** A collector that answers so may take the same batch later. */
const PASSING = [429, 502, 503, 504];
const REST_MS = 1_000;
const REST_MS_MAX = 10_000;
const MS_PER_SECOND = 1_000;

/** Why spans were not taken by the collector. */
type Loss = "queue_full" | "refused" | "unreachable" | "shutdown";

/** What became of a batch: taken but for some spans, or lost. */
type Report =
  | { readonly loss?: undefined; readonly rejected: number }
  | { readonly loss: Loss; readonly why: string; readonly retryMs?: number };

interface Parts {
  readonly settings: TraceSettings;
  readonly scope: Scope;
  readonly metrics: Pick<Metrics, "spansExported" | "spansDropped">;
  readonly log: Log;
}

/** A request for a batch, and how its answer is read. */
interface Request {
  readonly body: string | Uint8Array;
  readonly contentType: string;
  rejected(answer: Uint8Array): number;
}

type Write = (batch: readonly Span[]) => Promise<Request>;

function writing<Written>(
  encoding: SpanEncoding<Written>,
  { settings: { resource }, scope }: Parts,
): Write {
  const { contentType, rejected } = encoding;
  return async (batch) => {
    const spans: Written[] = [];
    for (const span of batch) {
      if (spans.length > 0 && spans.length % WRITTEN_AT_ONCE === 0) await yieldToLoop();
      spans.push(encoding.span(span));
    }
    return { body: encoding.request(resource, scope, spans), contentType, rejected };
  };
}

const WAYS: Readonly<Record<Protocol, (parts: Parts) => Write>> = {
  "http/json": (parts) => writing(JSON_ENCODING, parts),
  "http/protobuf": (parts) => writing(PROTOBUF_ENCODING, parts),
};

/**
 * Brings spans to a collector, many at once and beside the requests that they tell of. What does not fit into
 * its queue, or is not taken in time, is dropped and counted: a collector that is slow or gone costs nothing else.
 */
export class SpanExporter {
  readonly #parts: Parts;
  readonly #write: Write;
  readonly #closing = new AbortController();
  #queue: Span[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #work: Promise<void> | undefined;
  /** The collector has not taken the last batch, which was told. */
  #isFailing = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#write = WAYS[parts.settings.protocol](parts);
  }

  /** The spans of one request, all or none of them. */
  offer(spans: readonly Span[]): void {
    const { queueMax, batchMax, delayMs } = this.#parts.settings;
    const isFull = this.#queue.length + spans.length > queueMax;
    if (isFull || this.#closing.signal.aborted) {
      this.#drop(isFull ? "queue_full" : "shutdown", spans.length);
      return;
    }
    this.#queue.push(...spans);
    // While a batch is on its way, whoever sends it looks after what comes.
    if (this.#work) return;
    if (this.#queue.length >= batchMax) this.#begin();
    else this.#timer ??= this.#later(delayMs);
  }

  /** Sends what is there, for at most so long. What is left then is dropped. */
  async close(withinMs: number): Promise<void> {
    const ended = Promise.withResolvers<void>();
    const timer = setTimeout(ended.resolve, withinMs);
    await Promise.race([this.#flush(), ended.promise]);
    clearTimeout(timer);
    clearTimeout(this.#timer);
    this.#closing.abort(new Error("the process ends"));
    await this.#work;
    this.#drop("shutdown", this.#queue.splice(0).length);
  }

  async #flush(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted && (this.#work || this.#queue.length > 0)) {
      this.#begin();
      await this.#work;
    }
  }

  #later(delayMs: number): ReturnType<typeof setTimeout> {
    const timer = setTimeout(() => this.#begin(), delayMs);
    timer.unref();
    return timer;
  }

  #begin(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#work ??= this.#sendAll().finally(() => {
      this.#work = undefined;
      if (this.#queue.length > 0 && !this.#closing.signal.aborted) {
        this.#timer ??= this.#later(this.#parts.settings.delayMs);
      }
    });
  }

  /** All that is there now, and what comes meanwhile as far as it fills batches. */
  async #sendAll(): Promise<void> {
    const { batchMax } = this.#parts.settings;
    do {
      await this.#send(this.#queue.splice(0, batchMax));
    } while (this.#queue.length >= batchMax && !this.#closing.signal.aborted);
  }

  async #send(batch: readonly Span[]): Promise<void> {
    if (batch.length === 0) return;
    const told = await this.#retry(await this.#write(batch));
    if (told.loss !== undefined) {
      this.#drop(told.loss, batch.length);
      this.#tellOfFailure(told.why);
      return;
    }
    this.#drop("refused", told.rejected);
    this.#parts.metrics.spansExported.add(batch.length - told.rejected);
    if (this.#isFailing) this.#parts.log.info("traces_exported_again");
    this.#isFailing = false;
  }

  /** Tries until the collector takes it, refuses it for good, or the time of the batch is over. */
  async #retry(request: Request): Promise<Report> {
    const giveUpAtMs = performance.now() + this.#parts.settings.exportMs;
    for (let restMs = REST_MS; ; restMs = Math.min(2 * restMs, REST_MS_MAX)) {
      const told = await this.#post(request);
      if (told.loss !== "unreachable") return told;
      const waitMs = told.retryMs ?? restMs;
      if (performance.now() + waitMs > giveUpAtMs) return told;
      if (!(await this.#rest(waitMs))) return { ...told, loss: "shutdown" };
    }
  }

  /** False where the process ends meanwhile. */
  #rest(ms: number): Promise<boolean> {
    const { signal } = this.#closing;
    if (signal.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        signal.removeEventListener("abort", end);
        resolve(true);
      }, ms);
      const end = () => {
        clearTimeout(timer);
        resolve(false);
      };
      timer.unref();
      signal.addEventListener("abort", end, { once: true });
    });
  }

  async #post({ body, contentType, rejected }: Request): Promise<Report> {
    const { endpoint, headers, callMs } = this.#parts.settings;
    const signal = AbortSignal.any([AbortSignal.timeout(callMs), this.#closing.signal]);
    try {
      const response = await fetch(endpoint, {
        ...directIfHere(endpoint),
        method: "POST",
        headers: { ...headers, "content-type": contentType },
        body,
        signal,
        // A redirect would carry the headers, and the key among them, to another place.
        redirect: "manual",
      });
      const answer = await response.bytes();
      if (response.ok) return { rejected: rejected(answer) };
      const why = `the collector answered ${response.status}`;
      if (!PASSING.includes(response.status)) return { loss: "refused", why };
      const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
      const asked = Number.isFinite(seconds) && seconds > 0;
      return { loss: "unreachable", why, ...(asked && { retryMs: seconds * MS_PER_SECOND }) };
    } catch (thrown) {
      const loss = this.#closing.signal.aborted ? "shutdown" : "unreachable";
      return { loss, why: thrown instanceof Error ? thrown.message : String(thrown) };
    }
  }

  #drop(loss: Loss, spans: number): void {
    if (spans > 0) this.#parts.metrics.spansDropped.add(spans, loss);
  }

  /** Once, until one is taken again: an outage of the collector must not fill the log. */
  #tellOfFailure(why: string): void {
    if (this.#isFailing || this.#closing.signal.aborted) return;
    this.#isFailing = true;
    const { origin } = new URL(this.#parts.settings.endpoint);
    this.#parts.log.warn("traces_not_exported", { collector: origin, why });
  }
}
