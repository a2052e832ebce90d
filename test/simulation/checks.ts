import type { Scope } from "../../src/admission/judge.ts";
import type { Receipt } from "../../src/ledger/receipt.ts";
import { wholeText } from "./frames.ts";
import {
  type Allowed,
  isMetered,
  lostInput,
  mayCost,
  mostInput,
  overran,
  type Story,
} from "./oracle.ts";
import type { VendorCall } from "./vendor.ts";

/** What is looked at, by the words in which a failure is reported. */
export type CheckName =
  | "one receipt"
  | "no open hold"
  | "charge by the rule"
  | "input within its bound"
  | "settled before the end"
  | "books add up"
  | "the client's view"
  | "every attempt listed"
  | "drained where billed"
  | "no open socket"
  | "deadlines hold"
  | "limits hold"
  | "comes to rest"
  | "no fault of ours";

export interface Violation {
  readonly check: CheckName;
  readonly requestId: string | undefined;
  readonly message: string;
}

type Found = Omit<Violation, "requestId">;

function charge(story: Story, receipt: Receipt): Found[] {
  const { billingReason } = receipt;
  const { amount } = receipt.charge;
  const allowed = mayCost(story, receipt.held);
  const fits = ({ least, most, reasons }: Allowed) =>
    least <= amount && amount <= most && reasons.includes(billingReason);
  if (allowed.some(fits)) return [];
  const wanted = allowed.map(
    ({ least, most, because, reasons }) => `${least}–${most} as ${reasons.join("|")} (${because})`,
  );
  const message = `charged ${amount} as ${billingReason}, not ${wanted.join(" or ")}`;
  return [{ check: "charge by the rule", message }];
}

/** No more input is charged than can be in the request, and what its vendor counts beyond that is lost, once. */
function input(story: Story, { usage, charge: { amount }, inputLoss }: Receipt): Found[] {
  const call = story.calls.at(-1);
  if (!call) return [];
  const read = usage.fresh + usage.cacheRead + usage.cacheWrite + usage.cacheWriteLong;
  const most = mostInput(story, call);
  const lost = lostInput(call, read);
  // To a nano, since each amount is rounded up.
  const isWhole = call.ended !== undefined && amount > 0n;
  const isRight = inputLoss <= lost + 1n && (!isWhole || inputLoss + 1n >= lost);
  if (read <= most && isRight) return [];
  const message = `read ${read} of ${most}, lost ${inputLoss} of ${lost}`;
  return [{ check: "input within its bound", message }];
}

/** What is wrong with what the client saw of an answer that says it is whole. */
function wrongSuccess({ client, calls }: Story, receipt: Receipt): string | undefined {
  const { reading } = client;
  const call = calls.at(-1);
  if (reading.failed) return "an answer succeeded and failed at once";
  if (reading.goesOn) return "something came behind the end";
  if (receipt.billingReason === "budget_ended") {
    const isBeginning = call && wholeText(call.script).startsWith(reading.text);
    return isBeginning ? undefined : "not the beginning of what the vendor wrote";
  }
  if (!call?.ended) return "success without a whole answer of a vendor";
  if (reading.text !== wholeText(call.script)) return "not the text that the vendor wrote";
  if (!/^completed/.test(receipt.billingReason)) return `success as ${receipt.billingReason}`;
  return undefined;
}

function wrongFailure(story: Story, receipt: Receipt): string | undefined {
  const { client, calls, storageWasOut, replyWasLost } = story;
  const { left, stopped, readToEnd, broken, reading } = client;
  if (left || stopped) return undefined;
  if (broken) return "the connection broke";
  // A settlement whose reply is lost just before storage goes out is there and cannot be confirmed.
  const unconfirmed = storageWasOut && replyWasLost;
  const unwritten = receipt.billingReason === "gateway_failed" || unconfirmed;
  if (calls.at(-1)?.ended && !unwritten && !overran(story)) {
    return "a whole answer did not reach its client";
  }
  if (readToEnd && !reading.failed) return "the answer ended without a word";
  return undefined;
}

function view(story: Story, receipt: Receipt): Found[] {
  const { succeeded, malformed } = story.client.reading;
  if (malformed) return [{ check: "the client's view", message: "something was no event" }];
  const wrong = succeeded ? wrongSuccess(story, receipt) : wrongFailure(story, receipt);
  return wrong === undefined ? [] : [{ check: "the client's view", message: wrong }];
}

function attempts({ calls }: Story, receipt: Receipt): Found[] {
  const called = calls.map(({ channel }) => channel).join(" ");
  const listed = receipt.attempts.map(({ channel }) => channel).join(" ");
  const served = receipt.channel ?? "";
  if (listed === called || (listed === "" && called === served)) return [];
  const message = `called ${called}, the receipt lists ${listed} and names ${served}`;
  return [{ check: "every attempt listed", message }];
}

/**
 * A whole answer is finished without its client, and so is a stream of a vendor that bills anyway, as
 * long as there is room.
 */
function drained({ client, calls }: Story): Found[] {
  const call = calls.at(-1);
  const { left, planned } = client;
  if (!left || !call || call.ended || call.aborted?.event !== left.event) return [];
  const mayHangUp = left.drainsFull || (planned.stream && call.bills === "abort");
  if (mayHangUp || call.aborted.order < left.order) return [];
  return [{ check: "drained where billed", message: "hung up on a vendor that bills anyway" }];
}

/** Vendors take no smaller maximum than this. */
const OUTPUT_LEAST = 16;

/** What cannot be ended where its money ends is asked for no more output than that pays for. */
function clamped({ client, calls }: Story, receipt: Receipt): Found[] {
  const { stream, maxOutput: own } = client.planned;
  return calls.flatMap(({ model, bills, maxOutput }): Found[] => {
    if (stream && bills === "abort") return [];
    const bought = Number((receipt.held * 1_000n) / model.outputPico);
    const asked = Math.min(maxOutput ?? model.maxOutput, own ?? model.maxOutput);
    if (asked <= Math.max(OUTPUT_LEAST, bought)) return [];
    const message = `asked for ${asked} tokens, holds ${bought}`;
    return [{ check: "limits hold", message }];
  });
}

/** A request that has come to its end, against its receipt. */
export function checkRequest(story: Story, receipt: Receipt): Found[] {
  const { fault } = story.client;
  const ours: Found[] =
    fault?.status === 500 ? [{ check: "no fault of ours", message: String(fault.cause) }] : [];
  return [
    ...ours,
    ...charge(story, receipt),
    ...input(story, receipt),
    ...view(story, receipt),
    ...attempts(story, receipt),
    ...drained(story),
    ...clamped(story, receipt),
    ...checkSockets(story, false),
    ...deadlines(story),
    ...letGo(story, receipt),
  ];
}

/** Every call that was not read to its end was hung up on; an answer that ended, a while later. */
export function checkSockets({ calls }: Story, final: boolean): Found[] {
  return calls
    .filter(({ isOver, aborted, ended }) => !isOver && !aborted && (final || !ended))
    .map(({ channel }) => ({ check: "no open socket", message: `${channel} still waits` }));
}

/** Deadlines are met to within a tick of the watchdog, and a few of them may follow one another. */
const TICKS_MS = 200;

/** Chunks that a slow client has still to take when the gateway reads on: one in its stream, and the one just read. */
const UNREAD_CHUNKS = 2;

/**
 * Returns how long the gateway may leave a vendor unread after a chunk; that is no silence of the vendor. The gateway
 * waits until the client has taken the chunks, or until it gives the client up, or for more money. If a granted share is
 * too small for the chunk that waits, the gateway asks for another, which has a wait of its own.
 */
function unreadMs(
  { client, limits, grantedAtMs }: Story,
  call: VendorCall,
  readAtMs: number,
): number {
  const { keep_alive_ms, client_idle_ms, raise_wait_ms } = limits;
  const { planned, stopped } = client;
  const granted = grantedAtMs.filter((atMs) => atMs > readAtMs).length;
  return (
    UNREAD_CHUNKS * planned.readPauseMs +
    (stopped ? keep_alive_ms + client_idle_ms : 0) +
    (isMetered({ client }, call) ? (granted + 1) * raise_wait_ms : 0)
  );
}

/** No call goes on for longer than it may, in silence or as a whole. */
function deadlines(story: Story): Found[] {
  const { calls, client, limits } = story;
  const { upstream_first_byte_ms, upstream_answer_ms, upstream_idle_ms } = limits;
  return calls.flatMap((call, _at, [first = call]): Found[] => {
    const { startedAtMs, readAtMs, channel } = call;
    const end = call.failed ?? call.ended ?? call.aborted;
    if (!end) return [];
    const firstMs = client.planned.stream ? upstream_first_byte_ms : upstream_answer_ms;
    const isStreaming = client.planned.stream && readAtMs !== undefined;
    const silentMs = isStreaming
      ? readAtMs + unreadMs(story, call, readAtMs) + upstream_idle_ms
      : startedAtMs + firstMs;
    const dueMs = Math.min(silentMs, first.startedAtMs + limits.upstream_total_ms);
    if (end.atMs <= dueMs + TICKS_MS) return [];
    const message = `${channel} went on for ${end.atMs - dueMs} ms beyond its deadline`;
    return [{ check: "deadlines hold", message }];
  });
}

/** A client that takes nothing is let go of, and its money with it. */
function letGo({ client, limits }: Story, receipt: Receipt): Found[] {
  if (!client.stopped || client.endedAtMs === undefined) return [];
  const settledAtMs = receipt.createdAtMs + receipt.durationMs;
  const { keep_alive_ms, client_idle_ms, drain_ms } = limits;
  // What was on its way when the client stopped may come just before the first idle time is over.
  const dueMs = client.endedAtMs + keep_alive_ms + 2 * client_idle_ms + drain_ms;
  if (settledAtMs <= dueMs + TICKS_MS) return [];
  const message = `settled ${settledAtMs - dueMs} ms too late for a client that takes nothing`;
  return [{ check: "deadlines hold", message }];
}

/** By how much a scope may be passed: a balance by its overdraft, a soft budget by a lone request. */
export interface Allowance {
  readonly overdraft: bigint;
  readonly hard: boolean;
  /** In dollars, as it is set. */
  readonly loneMax: number;
  /** What a short answer costs at most. */
  readonly short: bigint;
}

/** The rule of the allowance, written a second time. */
function allowanceOf({ kind, max }: Pick<Scope, "kind" | "max">, by: Allowance): bigint {
  if (kind === "balance") return by.overdraft;
  if (by.hard) return 0n;
  const lone = BigInt(by.loneMax * 1e9);
  const most = lone < max ? lone : max;
  return most > by.short ? most : by.short;
}

/**
 * What is held passes no maximum, but a balance by its overdraft, and a soft budget by a request that is alone there
 * and by the leeway at most. The scopes are those of the moment after the request was let in, or given more.
 */
export function checkAllowance(by: Allowance, lone: boolean, scopes: readonly Scope[]): Found[] {
  const over = ({ max, used, held }: Scope) => used + held - max;
  const isPassed = (scope: Scope) => over(scope) > (scope.kind === "balance" ? by.overdraft : 0n);
  const passed = scopes.filter(isPassed);
  const mayBe = ({ kind, running }: Scope) => kind === "budget" && running === 1n && !by.hard;
  const isWithin = scopes.every((scope) => over(scope) <= allowanceOf(scope, by));
  if (lone === passed.length > 0 && passed.every(mayBe) && isWithin) return [];
  const told = scopes.map(({ id, max, used, held }) => `${id} has ${max}: ${used} + ${held}`);
  const message = `${by.hard ? "hard" : "soft"}, ${lone ? "" : "not "}alone, but ${told.join(", ")}`;
  return [{ check: "limits hold", message }];
}

/** What a request came to. */
export interface End {
  readonly charged: bigint;
  /** What a short answer to it costs at most. */
  readonly short: bigint;
  /** It was alone in some scope that had less left than it was given. */
  readonly lone: boolean;
}

interface Spending extends Pick<Scope, "id" | "kind" | "max"> {
  readonly by: Omit<Allowance, "short">;
  readonly ends: readonly End[];
}

/** A soft budget may be passed by one request that is alone, by the leeway at most, and all else by none. */
export function checkLimit({ id, kind, max, by, ends }: Spending): Found[] {
  let [spent, short] = [0n, 0n];
  for (const end of ends) {
    spent += end.charged;
    if (end.lone && end.short > short) short = end.short;
  }
  const isLone = ends.some(({ lone }) => lone);
  const allowance =
    kind === "balance" || isLone ? allowanceOf({ kind, max }, { ...by, short }) : 0n;
  if (spent <= max + allowance) return [];
  const message = `${id} spent ${spent} of ${max}, ${allowance} allowed beyond`;
  return [{ check: "limits hold", message }];
}
