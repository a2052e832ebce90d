// The rule of charging, written a second time from its words alone: from what vendors did, what of
// it was read, and what the client got. Nothing of the code that charges is used here.
import type { Limits } from "../../src/config/config.ts";
import type { BillingReason } from "../../src/ledger/receipt.ts";
import type { Client } from "./client.ts";
import type { SimModel } from "./models.ts";
import { type Counts, statusOf, type VendorFault } from "./scripts.ts";
import type { Moment } from "./time.ts";
import type { VendorCall } from "./vendor.ts";

/** One request as everybody but the gateway saw it. */
export interface Story {
  readonly client: Client;
  readonly calls: readonly VendorCall[];
  /** Storage was out at some time while the request could have been settled. */
  readonly storageWasOut: boolean;
  /** Meanwhile something was written without anybody hearing of it. */
  readonly replyWasLost: boolean;
  /** When the request was given more money while it ran. */
  readonly grantedAtMs: readonly number[];
  /** Its account has lost the house enough by now for its requests to be held at the model's context. */
  readonly mayBeAtContext: boolean;
  readonly limits: Limits;
}

/** A charge that the rule allows, in nano-USD, and what a receipt may call it. */
export interface Allowed {
  readonly least: bigint;
  readonly most: bigint;
  readonly because: string;
  readonly reasons: readonly BillingReason[];
}

type Amount = Omit<Allowed, "reasons">;

const COMPLETED = ["completed", "completed_estimated", "client_closed_finished"] as const;
const LEFT = ["client_closed"] as const;
const FAILED = ["upstream_failed", "upstream_refused", "upstream_failed_with_usage"] as const;

const UNWRITTEN: Allowed = {
  least: 0n,
  most: 0n,
  because: "the settlement could not be written",
  reasons: ["gateway_failed"],
};
const UNCALLED: Allowed = {
  least: 0n,
  most: 0n,
  because: "no vendor was called",
  // The second where every vendor is known to be out of order.
  reasons: ["refused", "upstream_failed"],
};

/** How far the estimate of the input may be above a quarter of a token for each letter. */
const INPUT_SLACK = 16;

function price(model: SimModel, { input, output }: Counts): bigint {
  const pico = BigInt(input) * model.inputPico + BigInt(output) * model.outputPico;
  return (pico + 999n) / 1_000n;
}

/** About a quarter of a token for a Latin letter, nearly a whole one for a Chinese character. */
function tokensOf(text: string): number {
  let tokens = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    tokens += code < 0x80 ? 0.25 : code < 0x800 ? 0.525 : 0.8;
  }
  return tokens;
}

/** From one number of tokens to another. */
interface Range {
  readonly least: number;
  readonly most: number;
}

const NONE: Range = { least: 0, most: 0 };
const just = (tokens: number): Range => ({ least: tokens, most: tokens });

/** What the client allows, what the vendor was asked for, and what the model can write. */
function allowedOutput({ client }: Story, { model, maxOutput }: VendorCall): number {
  return Math.min(
    client.planned.maxOutput ?? model.maxOutput,
    maxOutput ?? model.maxOutput,
    model.maxOutput,
  );
}

function guessedInput({ client }: Story, { model }: VendorCall): Range {
  const guess = Math.floor(tokensOf(client.planned.prompt));
  return { least: guess, most: Math.min(guess + INPUT_SLACK, model.context) };
}

/** An estimate of a text that is at least the one and at most the other. */
function guessedOutput(story: Story, call: VendorCall, least: string, most: string): Range {
  const cap = allowedOutput(story, call);
  return {
    least: Math.min(cap, Math.floor(tokensOf(least))),
    most: Math.min(cap, Math.ceil(tokensOf(most)) + 1),
  };
}

/** How far the bound of the input may be above the letters of the prompt. */
const BOUND_SLACK = 512;
const BOUND_PER_CHAR = 3;

/**
 * The most input that is charged. With a known tokenizer that is no less than the estimate and no more than some tokens for
 * each letter, with what stands around them; with any other, and beyond the loss of a day, it is the model's context.
 */
function boundOf({ client, mayBeAtContext }: Story, { model }: VendorCall): Range {
  const { context } = model;
  if (model.tokenFamily === "unknown") return just(context);
  const { prompt } = client.planned;
  const most = mayBeAtContext ? context : BOUND_SLACK + BOUND_PER_CHAR * prompt.length;
  return { least: Math.floor(tokensOf(prompt)), most: Math.min(most, context) };
}

/** The most input that a request may be charged for. */
export function mostInput(story: Story, call: VendorCall): number {
  return boundOf(story, call).most;
}

/** The vendor's word for what was read, up to the bound; undefined where it cannot be true. */
function toldInput(story: Story, call: VendorCall): Range | undefined {
  const { model, counts } = call;
  if (!counts || counts.input <= 0 || counts.input > model.context) return undefined;
  const { least, most } = boundOf(story, call);
  return { least: Math.min(counts.input, least), most: Math.min(counts.input, most) };
}

/** What the vendor may bill beyond the input that is charged, where it has counted more. */
export function lostInput({ model, counts }: VendorCall, charged: number): bigint {
  const counted = Math.min(counts?.input ?? 0, model.context);
  return counted <= charged ? 0n : price(model, { input: counted - charged, output: 0 });
}

/** The same for what was written, of which no more than was allowed is anybody's to pay. */
function toldOutput(story: Story, call: VendorCall): Range | undefined {
  const { model, counts } = call;
  if (!counts || counts.output <= 0 || counts.output > model.maxOutput) return undefined;
  return just(Math.min(counts.output, allowedOutput(story, call)));
}

function cost(call: VendorCall, input: Range, output: Range, because: string): Amount {
  return {
    least: price(call.model, { input: input.least, output: output.least }),
    most: price(call.model, { input: input.most, output: output.most }),
    because,
  };
}

/** The vendor's counts of all of an answer, and an estimate where they cannot be true. */
function counted(story: Story, call: VendorCall, because: string): Amount {
  const input = toldInput(story, call) ?? guessedInput(story, call);
  const guess = () => guessedOutput(story, call, call.text, call.text);
  return cost(call, input, toldOutput(story, call) ?? guess(), because);
}

/** Input as estimated or counted, output between two texts or as counted, within what was asked for. */
function between(story: Story, call: VendorCall, least: string, most: string): Amount {
  const guess = guessedOutput(story, call, least, most);
  const told = toldOutput(story, call)?.most ?? 0;
  const output = { least: guess.least, most: Math.max(guess.most, told) };
  const input = toldInput(story, call) ?? guessedInput(story, call);
  return cost(call, input, output, "input and what was delivered");
}

/** Answered in full: the vendor's counts, or an estimate of all of it. */
function completed(story: Story, call: VendorCall): Allowed {
  const because = "the counts of a whole answer";
  return { ...counted(story, call, because), reasons: COMPLETED };
}

/** The client left: the vendor's counts of an answer that is whole, else what the client got. */
function clientLeft(story: Story, call: VendorCall): Allowed {
  const reasons = call.ended ? [...COMPLETED, ...LEFT] : LEFT;
  if (call.counts && call.ended) {
    const because = "the vendor's counts of an answer whose client left";
    return { ...counted(story, call, because), reasons };
  }
  const delivered = between(story, call, story.client.reading.text, call.text);
  if (!call.counts || call.isPartial) return { ...delivered, reasons };
  // Only the vendor can tell that no further counts were to come.
  const told = counted(story, call, "").least;
  return { ...delivered, least: told < delivered.least ? told : delivered.least, reasons };
}

/** The vendor failed: only what it said it had used, as far as that can be true. */
function vendorFailed(story: Story, call: VendorCall): Allowed {
  const input = toldInput(story, call) ?? NONE;
  const output = toldOutput(story, call) ?? NONE;
  return { ...cost(call, input, output, "what a failed vendor counted"), reasons: FAILED };
}

/** When the gateway stops to wait for a call, whatever comes of it. */
function deadlineMs({ calls: [first], client, limits }: Story, call: VendorCall): number {
  const totalMs = (first ?? call).startedAtMs + limits.upstream_total_ms;
  if (!client.left || client.planned.stream) return totalMs;
  return Math.min(totalMs, client.left.atMs + limits.drain_ms);
}

/** Whether the clock ended the last call. */
export function overran(story: Story): boolean {
  const call = story.calls.at(-1);
  const end = call?.failed ?? call?.aborted;
  return call !== undefined && end !== undefined && end.atMs >= deadlineMs(story, call);
}

/**
 * That counts as the client's leaving, but for one that was there, had nothing of any answer, and whose time had gone
 * by in the silence of vendors that were asked before.
 */
function overranForClient(story: Story): boolean {
  const { client, calls } = story;
  const wasKept = calls.length > 1 && client.fault !== undefined && client.left === undefined;
  return overran(story) && !wasKept;
}

/** Its money ended before its answer did: what the client got. */
function budgetEnded(story: Story, call: VendorCall): Allowed {
  const { text } = story.client.reading;
  return { ...between(story, call, text, call.text), reasons: ["budget_ended"] };
}

function wholeMayCost(story: Story, call: VendorCall): Allowed[] {
  const { left } = story.client;
  if (call.ended) return [completed(story, call)];
  // Too many answers were finished for nobody already.
  const hungUp = left?.drainsFull && left.event === call.aborted?.event;
  return [hungUp || overranForClient(story) ? clientLeft(story, call) : vendorFailed(story, call)];
}

/** A vendor that breaks says so by these; by all others it is cut off, silent or not understood. */
const SAID: readonly VendorFault[] = [
  "error_body",
  "error_first",
  "error_mid",
  "failed_with_usage",
];

/** The vendor was heard to say, before anything else, that there is no answer. */
function saidNo({ script: { fault }, failed, aborted, text }: VendorCall): boolean {
  if (!failed || text !== "" || (aborted && aborted.order < failed.order)) return false;
  return statusOf(fault) !== undefined || SAID.includes(fault);
}

function streamMayCost(story: Story, call: VendorCall): Allowed[] {
  const { left, stopped } = story.client;
  const { ended, failed, aborted } = call;
  if (saidNo(call)) return [vendorFailed(story, call)];
  const leftFirst = (other: Moment | undefined) =>
    left !== undefined && (other === undefined || left.order < other.order);
  if (ended) return [left || stopped ? clientLeft(story, call) : completed(story, call)];
  if (overranForClient(story) || leftFirst(failed ?? aborted)) return [clientLeft(story, call)];
  // Nobody but the gateway knows when it gave up a client that reads no more, nor which of two
  // things that happen in one event it heard of first.
  const atOnce = left !== undefined && left.event === (failed ?? aborted)?.event;
  // Hung up on, and the client left after that or reads no more: its money had ended.
  if (aborted && isMetered(story, call) && (left || stopped)) {
    return [budgetEnded(story, call), clientLeft(story, call), vendorFailed(story, call)];
  }
  // The same, of which the client could not be told: it was settled, the reply was lost, and storage went out.
  if (aborted && isMetered(story, call) && story.storageWasOut && story.replyWasLost) {
    return [budgetEnded(story, call), vendorFailed(story, call)];
  }
  if (stopped || atOnce) return [clientLeft(story, call), vendorFailed(story, call)];
  return [vendorFailed(story, call)];
}

/** What is seen as it comes is not charged beyond what its hold buys, with all of its input in it. */
export function isMetered({ client }: Pick<Story, "client">, { bills }: VendorCall): boolean {
  return client.planned.stream && bills === "abort";
}

/** Vendors here count what they like: of what they did not write no more is charged than was held. */
function boughtBy(held: bigint, story: Story, allowed: Allowed): Allowed {
  const call = story.calls.at(-1);
  if (!call || !isMetered(story, call)) return allowed;
  const input = mostInput(story, call);
  // A hold that buys a part of a token buys none of it.
  const output = held - price(call.model, { input, output: 1 });
  const least = allowed.least < output ? allowed.least : output;
  return { ...allowed, least: least < 0n ? 0n : least };
}

/** No request costs more than it holds. */
function endedAt(held: bigint, { least, most, ...why }: Allowed): Allowed {
  const within = (amount: bigint) => (amount < held ? amount : held);
  return { ...why, least: within(least), most: within(most) };
}

/** Every charge of a request that the rule allows; one request, and only its last call, pays. */
export function mayCost(story: Story, held: bigint): Allowed[] {
  return chargesOf(story).map((each) => endedAt(held, boughtBy(held, story, each)));
}

function chargesOf(story: Story): Allowed[] {
  const { client, calls } = story;
  const call = calls.at(-1);
  if (!call) return [UNCALLED];
  if (client.reading.succeeded && !call.ended && call.aborted) return [budgetEnded(story, call)];
  if (client.reading.succeeded) return [completed(story, call)];
  const allowed = client.planned.stream ? streamMayCost(story, call) : wholeMayCost(story, call);
  return story.storageWasOut ? [...allowed, UNWRITTEN] : allowed;
}
