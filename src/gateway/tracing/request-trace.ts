import type { Receipt } from "../../ledger/receipt.ts";
import { systemClock } from "../../lib/clock.ts";
import { asFault, type Fault } from "../../lib/faults.ts";
import type { HttpResponse } from "../../lib/net/http-response.ts";
import {
  type Attributes,
  newSpanId,
  type PreciseMs,
  type Span,
  type SpanKind,
} from "../../telemetry/traces/span.ts";
import { type TraceParent, writeTraceParent } from "../../telemetry/traces/trace-context.ts";
import type { Attempt } from "../../upstream/plans/attempt.ts";
import { answerAttributes, moneyAttributes, operationOf, providerOf } from "./gen-ai.ts";

/** What is known of a request when it comes. */
interface TracedRequest {
  readonly requestId: string;
  readonly endpoint: string;
  readonly traceId: string;
  readonly parent: TraceParent | undefined;
  readonly attributes: Attributes;
  readonly name: string;
}

/** A span that has begun. */
interface Opened {
  readonly spanId: string;
  readonly name: string;
  readonly kind: SpanKind;
  readonly startMs: PreciseMs;
  attributes: Attributes;
}

/** What is known of an answer beside its receipt. */
interface TracedAnswer {
  readonly vendorStatus: number;
  readonly finishReasons?: readonly string[] | undefined;
}

const SERVER_FAULT = 500;
const MS_PER_SECOND = 1_000;

/**
 * One request that is recorded, from its coming to its settlement: a span of its own, and below it admission,
 * each call to a vendor and the settlement. Nobody waits for it, and it never holds a word of what was asked or
 * answered.
 */
export class RequestTrace {
  readonly #request: TracedRequest;
  readonly #tellVendors: boolean;
  readonly #offer: (spans: readonly Span[]) => void;
  readonly #spans: Span[] = [];
  /** By which moments of the monotonic clock become those of the wall's. */
  readonly #offsetMs: number;
  readonly #own: Opened;
  #admission: Opened | undefined;
  /** Of the call that comes next, where its vendor is told of it. */
  #nextSpanId: string | undefined;
  #attempt: Opened | undefined;
  #settlement: Opened | undefined;
  #isAdmitted = false;
  #isOver = false;

  constructor(
    request: TracedRequest,
    tellVendors: boolean,
    offer: (spans: readonly Span[]) => void,
  ) {
    this.#request = request;
    this.#tellVendors = tellVendors;
    this.#offer = offer;
    this.#offsetMs = systemClock() - performance.now();
    this.#own = this.#open(request.name, "server", request.attributes);
  }

  admitting(): void {
    this.#admission = this.#open("admission", "internal", {});
  }

  admitted(heldNanoUsd: bigint): void {
    this.#isAdmitted = true;
    this.#closeAdmission({ "faregate.held_nanousd": heldNanoUsd });
  }

  /** A vendor is called. */
  calling(attempt: Attempt, stream: boolean): void {
    const { channel, endpoint, upstreamModel, number } = attempt;
    const operation = operationOf(endpoint);
    const address = channel.addressOf?.(endpoint);
    const { hostname, port, protocol } = address === undefined ? NOWHERE : new URL(address);
    const attributes = {
      "gen_ai.operation.name": operation,
      "gen_ai.provider.name": providerOf(channel.vendor),
      "gen_ai.request.model": upstreamModel,
      "gen_ai.request.stream": stream,
      "server.address": hostname || undefined,
      "server.port": hostname ? Number(port) || (protocol === "http:" ? 80 : 443) : undefined,
      "faregate.channel": channel.id,
      "faregate.attempt": number,
    };
    const name = `${operation} ${upstreamModel}`;
    this.#attempt = this.#open(name, "client", attributes, this.#nextSpanId);
    this.#nextSpanId = undefined;
  }

  /** The headers of the call that comes next, with the trace that it belongs to where vendors are told. */
  headersWith(
    headers: Readonly<Record<string, string>> | undefined,
  ): Readonly<Record<string, string>> | undefined {
    if (!this.#tellVendors) return headers;
    this.#nextSpanId = newSpanId();
    const { traceId } = this.#request;
    return { ...headers, traceparent: writeTraceParent(traceId, this.#nextSpanId) };
  }

  /** The vendor did not serve, and another is asked. */
  gaveUp(status: number, fault: Fault | undefined): void {
    this.#closeAttempt({
      "http.response.status_code": status || undefined,
      "error.type": fault?.fault ?? "unanswered",
    });
  }

  /** It is known how the request ends, and what it costs; that is now written. */
  settling(receipt: Receipt, { vendorStatus, finishReasons }: TracedAnswer): void {
    const { firstByteMs, stream } = receipt;
    const startedMs = (this.#attempt?.startMs ?? 0) - this.#own.startMs;
    const isTimed = stream && firstByteMs !== null && this.#attempt !== undefined;
    this.#closeAttempt({
      "http.response.status_code": vendorStatus || undefined,
      "error.type": receipt.errorCode ?? undefined,
      "gen_ai.response.time_to_first_chunk": isTimed
        ? Math.max(0, firstByteMs - startedMs) / MS_PER_SECOND
        : undefined,
      ...answerAttributes(receipt, finishReasons),
    });
    this.#note(receipt);
    this.#settlement ??= this.#open("settlement", "internal", {});
  }

  /** The end is on disk, or could not be brought there. Told behind the end of the trace. */
  settled(written: PromiseLike<void>): PromiseLike<void> {
    return written.then(
      () => this.#end(undefined),
      (thrown: unknown) => {
        this.#end(asFault(thrown));
        throw thrown;
      },
    );
  }

  /** Nothing was held for it, and no vendor asked. */
  refused(receipt: Receipt): void {
    this.#note(receipt);
  }

  /** Answers that come later than their headers end with their settlement. */
  around(answer: PromiseLike<HttpResponse>): PromiseLike<HttpResponse> {
    return answer.then(
      (given) => {
        this.#add({ "http.response.status_code": given.status });
        // One that was given before is given again without admission.
        if (!this.#isAdmitted) this.#end(undefined);
        return given;
      },
      (thrown: unknown) => {
        // What was held for it is ended on every path, and the trace with that.
        if (!this.#isAdmitted) this.#end(asFault(thrown));
        throw thrown;
      },
    );
  }

  #now(): PreciseMs {
    return this.#offsetMs + performance.now();
  }

  #open(name: string, kind: SpanKind, attributes: Attributes, spanId = newSpanId()): Opened {
    return { spanId, name, kind, startMs: this.#now(), attributes };
  }

  #add(attributes: Attributes): void {
    this.#own.attributes = { ...this.#own.attributes, ...attributes };
  }

  #note(receipt: Receipt): void {
    this.#add({
      "http.response.status_code": receipt.status,
      "error.type": receipt.errorCode ?? undefined,
      "gen_ai.request.model": receipt.model || undefined,
      "gen_ai.response.model": receipt.servedModel ?? undefined,
      ...moneyAttributes(receipt),
    });
  }

  #closeAdmission(attributes: Attributes): void {
    if (this.#admission) this.#close(this.#admission, attributes);
    this.#admission = undefined;
  }

  #closeAttempt(attributes: Attributes): void {
    if (this.#attempt) this.#close(this.#attempt, attributes);
    this.#attempt = undefined;
  }

  #close(opened: Opened, more: Attributes): void {
    const attributes = { ...opened.attributes, ...more };
    this.#spans.push({
      ...this.#identity(opened),
      parentId: this.#own.spanId,
      remoteParent: false,
      attributes,
      failed: attributes["error.type"] !== undefined,
    });
  }

  #identity({ spanId, name, kind, startMs }: Opened) {
    const { traceId, parent } = this.#request;
    const traceState = parent?.state;
    return { traceId, spanId, traceState, name, kind, startMs, endMs: this.#now() };
  }

  /** Whatever has not ended by itself ends with the request, for its reason. */
  #end(fault: Fault | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const error = fault && { "error.type": fault.fault };
    this.#closeAdmission({ ...error });
    this.#closeAttempt({ ...error });
    if (this.#settlement) this.#close(this.#settlement, { ...error });
    if (fault) this.#add({ "http.response.status_code": fault.status, ...error });
    const { parent } = this.#request;
    const { attributes } = this.#own;
    this.#spans.push({
      ...this.#identity(this.#own),
      parentId: parent?.spanId,
      remoteParent: parent !== undefined,
      attributes,
      failed: Number(attributes["http.response.status_code"] ?? 0) >= SERVER_FAULT,
    });
    this.#offer(this.#spans);
  }
}

/** The embedded vendor is in this process. */
const NOWHERE = { hostname: "", port: "", protocol: "" };
