import { isObject, type JsonObject } from "../fields.ts";
import { numberOf, objectOf, objectsOf } from "../optional.ts";
import { added, readCacheWrites, readCounts, type Usage, withVendorCost } from "../usage.ts";

/** More than one answer can make; beyond it a vendor has miscounted. */
const SEARCHES_MAX = 1_000;

/** As the vendor says them: what is no count is seen to be none where they are priced. */
interface Counts {
  readonly fresh: unknown;
  readonly read: unknown;
  readonly write: unknown;
  readonly writeLong: unknown;
  readonly output: unknown;
}

/** This wire counts what was cached beside `input_tokens`, not inside. */
function countsOf(usage: JsonObject): Counts {
  const { short, long } = readCacheWrites(usage.cache_creation_input_tokens, usage.cache_creation);
  return {
    fresh: usage.input_tokens,
    read: usage.cache_read_input_tokens,
    write: short,
    writeLong: long,
    output: usage.output_tokens,
  };
}

/** What the vendor used to shorten the conversation on its own; the totals leave it out. */
function compactions(usage: JsonObject): Counts[] {
  const entries = objectsOf(usage.iterations);
  return entries.filter(({ type }) => type === "compaction").map(countsOf);
}

/** `usage` of a message; undefined where the vendor said nothing. */
export function readMessagesUsage(usage: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined;
  const all = [countsOf(usage), ...compactions(usage)];
  const sum = (name: keyof Counts) => added(...all.map((each) => each[name]));
  const fresh = sum("fresh");
  const cacheRead = sum("read");
  const cacheWrite = sum("write");
  const cacheWriteLong = sum("writeLong");
  const cached = numberOf(cacheRead) + numberOf(cacheWrite) + numberOf(cacheWriteLong);
  const searches = Math.trunc(numberOf(objectOf(usage.server_tool_use).web_search_requests));
  const counts = readCounts(
    {
      input: typeof fresh === "number" ? fresh + cached : fresh,
      cacheRead,
      cacheWrite,
      cacheWriteLong,
      output: sum("output"),
      reasoning: objectOf(usage.output_tokens_details).thinking_tokens,
    },
    Math.min(Math.max(searches, 0), SEARCHES_MAX),
  );
  return withVendorCost(counts, usage);
}

/** Whether an event of a stream says how much was read. Nothing is what is said before it is known. */
export function countsInput(usage: unknown): boolean {
  if (!isObject(usage)) return false;
  const { fresh, read, write, writeLong } = countsOf(usage);
  return [fresh, read, write, writeLong].some((tokens) => numberOf(tokens) > 0);
}

/** Whether an event of a stream says how much was written. */
export function countsOutput(usage: unknown): boolean {
  return isObject(usage) && usage.output_tokens !== undefined && usage.output_tokens !== null;
}

/**
 * The counts of an answer whose output only the first event of its stream counted, before there was
 * any: the least it can be, and no count.
 */
export function earlyUsage(counts: JsonObject | undefined): Usage | undefined {
  const usage = readMessagesUsage(counts);
  if (!usage) return undefined;
  const input = usage.missing?.input ?? false;
  return { ...usage, missing: { input, output: true, total: undefined } };
}

/** Counts of a stream are totals so far: a later word replaces an earlier one, silence does not. */
export function laterUsage(
  earlier: JsonObject | undefined,
  later: unknown,
): JsonObject | undefined {
  if (!isObject(later)) return earlier;
  const merged: Record<string, unknown> = { ...earlier };
  for (const [name, value] of Object.entries(later)) {
    if (value !== null && value !== undefined) merged[name] = value;
  }
  return merged;
}

/** Counts in the words of this wire. */
export function writeMessagesUsage(usage: Usage): JsonObject {
  const { cacheWrite, cacheWriteLong, webSearches } = usage;
  return {
    input_tokens: usage.fresh,
    cache_creation_input_tokens: cacheWrite + cacheWriteLong,
    cache_read_input_tokens: usage.cacheRead,
    cache_creation: {
      ephemeral_5m_input_tokens: cacheWrite,
      ephemeral_1h_input_tokens: cacheWriteLong,
    },
    output_tokens: usage.output,
    output_tokens_details: { thinking_tokens: usage.reasoning },
    ...(webSearches > 0
      ? { server_tool_use: { web_search_requests: webSearches, web_fetch_requests: 0 } }
      : {}),
  };
}
