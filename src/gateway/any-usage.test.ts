// What an answer costs whatever JSON its vendor writes in place of its counts, through every wire.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { count } from "../../test/support/counts.ts";
import { allowanceFor } from "../../test/support/houses/allowances.ts";
import { readText } from "../../test/support/vendors/whole-answers.ts";
import { type Model, type PriceVersion, shippedCatalogue } from "../catalogue/models.ts";
import { worstCase } from "../catalogue/money.ts";
import { readConfig } from "../config/config.ts";
import { TimeBudget } from "../lib/threads/time-budget.ts";
import { Watchdog } from "../lib/threads/watchdog.ts";
import { inputTokens } from "../protocols/usage.ts";
import type { Endpoint, StreamFilter, VendorResult } from "../protocols/wire.ts";
import { openWires } from "../protocols/wires.ts";
import { AdmittedRequest, type Caller } from "./admitted-request.ts";
import { CLIENT_LEFT, COMPLETED, FINISHED_ALONE } from "./ending/cause.ts";
import { tallyOf } from "./ending/end-request.ts";

const priced = shippedCatalogue().find("sandbox-1.0") as Model;
const wires = openWires(readConfig({}).limits);
const MAX_OUTPUT = 16;

function member(json: string, name: string, usage: unknown): string {
  return json.replace('"USAGE"', () => JSON.stringify({ [name]: usage }).slice(1, -1));
}

interface Spoken {
  readonly names: readonly string[];
  readonly usage: string;
  readonly whole: string;
  readonly stream: readonly string[];
}

const data = (json: string) => `data: ${json}\n\n`;

/** A good answer of a vendor of each wire, with a hole where its usage stands. */
const SPOKEN: Readonly<Record<Endpoint, Spoken>> = {
  chat: {
    names: ["prompt_tokens", "completion_tokens", "total_tokens"],
    usage: "usage",
    whole: '{"choices":[{"message":{"content":"Good day."},"finish_reason":"stop"}],"USAGE"}',
    stream: [
      data('{"model":"m","choices":[{"index":0,"delta":{"content":"Good day."}}]}'),
      data('{"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"USAGE"}'),
      "data: [DONE]\n\n",
    ],
  },
  responses: {
    names: ["input_tokens", "output_tokens", "total_tokens"],
    usage: "usage",
    whole:
      '{"output":[{"type":"message","content":[{"type":"output_text","text":"Good day."}]}],"USAGE"}',
    stream: [
      data('{"type":"response.created","response":{"id":"r","output":[]}}'),
      data(
        '{"type":"response.completed","response":{"id":"r","output":[{"type":"message","content":' +
          '[{"type":"output_text","text":"Good day."}]}],"USAGE"}}',
      ),
    ],
  },
  messages: {
    names: ["input_tokens", "output_tokens", "cache_read_input_tokens"],
    usage: "usage",
    whole: '{"content":[{"type":"text","text":"Good day."}],"USAGE"}',
    stream: [
      data('{"type":"message_start","message":{"id":"m","content":[],"USAGE"}}'),
      data('{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}'),
      data(
        '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Good day."}}',
      ),
      data('{"type":"message_delta","delta":{"stop_reason":"end_turn"},"USAGE"}'),
      data('{"type":"message_stop"}'),
    ],
  },
  gemini: {
    names: ["promptTokenCount", "candidatesTokenCount", "totalTokenCount"],
    usage: "usageMetadata",
    whole:
      '{"candidates":[{"content":{"parts":[{"text":"Good day."}]},"finishReason":"STOP"}],"USAGE"}',
    stream: [
      data('{"candidates":[{"content":{"parts":[{"text":"Good day."}]}}],"USAGE"}'),
      data('{"candidates":[{"content":{"parts":[]},"finishReason":"STOP"}],"USAGE"}'),
    ],
  },
};

function answerOf(wire: Endpoint, stream: boolean, usage: unknown): VendorResult | StreamFilter {
  const spoken = SPOKEN[wire];
  if (!stream) return readText(wires[wire].readResult, member(spoken.whole, spoken.usage, usage));
  const body = { model: "m", stream: true, contents: [], input: "x", messages: [] };
  const request = { ...body, maxOutput: MAX_OUTPUT, choices: 1, webSearch: false, body };
  const options = { model: "m", echo: {} };
  const pass = wires[wire].openStream(request as never, options);
  for (const event of spoken.stream) pass.push(Buffer.from(member(event, spoken.usage, usage)));
  pass.close();
  expect([pass.ended, pass.failure]).toEqual([true, undefined]);
  return pass;
}

const watchdog = new Watchdog(() => 1);
const caller = {
  ...{ requestId: "req_1", endpoint: "chat", createdAtMs: 0, startedAtMs: 0, knownAtMs: 0 },
  timeBudget: new TimeBudget(0),
};

const OUTPUT_LEAST = 16;

function runOf(hard: boolean, held: bigint, inputEstimate: number): AdmittedRequest {
  const key = { hard, accountHard: false, tokensPerMinute: 0 } as Caller["key"];
  const candidate = { model: priced, priced: priced.prices[0] as PriceVersion };
  return new AdmittedRequest(
    {
      caller: { ...caller, key },
      request: { model: "m", stream: false, choices: 1, webSearch: false },
      candidates: [candidate],
      inputTokens: inputEstimate,
    },
    allowanceFor([candidate], { held, input: inputEstimate, maxOutput: MAX_OUTPUT }),
  );
}

/** Whole numbers often, near the bounds and far from them, and anything else that JSON can say. */
const anyCount: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: -2, max: 40 }) },
  { weight: 2, arbitrary: fc.integer({ min: priced.context - 2, max: priced.context * 2 }) },
  fc.constantFrom(priced.maxOutput, priced.maxOutput + 1, 1e12, 1e300, -1e300),
  fc.double(),
  fc.jsonValue({ maxDepth: 1 }),
);

function anyUsage(names: readonly string[]): fc.Arbitrary<unknown> {
  const more = ["prompt_tokens_details", "input_tokens_details", "output_tokens_details", "cost"];
  const inner = fc.dictionary(fc.constantFrom("cached_tokens", "reasoning_tokens"), anyCount);
  const counts = fc.record(Object.fromEntries(names.map((name) => [name, anyCount])), {
    requiredKeys: [],
  });
  const details = fc.dictionary(fc.constantFrom(...more), fc.oneof(inner, fc.jsonValue()));
  const object = fc.tuple(counts, details).map(([some, others]) => ({ ...some, ...others }));
  return fc.oneof({ weight: 5, arbitrary: object }, fc.jsonValue({ maxDepth: 2 }));
}

describe.each(Object.keys(SPOKEN) as Endpoint[])("whatever a vendor of %s says", (wire) => {
  const { rates } = priced.prices[0] as PriceVersion;
  const most = { input: priced.context, output: MAX_OUTPUT, webSearches: 0 };
  const bound = worstCase(rates, most);
  const cause = fc.constantFrom(COMPLETED, FINISHED_ALONE, CLIENT_LEFT);
  const facts = fc.record({
    usage: anyUsage(SPOKEN[wire].names),
    stream: fc.boolean(),
    hard: fc.boolean(),
    beyondLeast: fc.bigInt({ min: 0n, max: 200_000_000n }),
    estimated: fc.integer({ min: 1, max: priced.context }),
    cause,
  });

  test("a whole answer costs something, no more than it can, and its lines say so", () => {
    fc.assert(
      fc.property(facts, ({ usage, stream, hard, beyondLeast, estimated, cause }) => {
        // No request is let through with less than its input and a few tokens cost.
        const least = { input: estimated, output: OUTPUT_LEAST, webSearches: 0 };
        const held = worstCase(rates, least) + beyondLeast;
        const run = runOf(hard, held, estimated);
        const answer = answerOf(wire, stream, usage);
        const ended = tallyOf({ watchdog }, { admitted: run, answer });
        const { kind, receipt } = run.settle(cause, ended);
        const { amount, lines } = receipt.charge;
        expect(kind).toBe("post");
        expect(amount).toBeGreaterThan(0n);
        expect(amount).toBeLessThanOrEqual(bound);
        if (hard) expect(amount).toBeLessThanOrEqual(held);
        expect(amount + receipt.loss).toBeLessThanOrEqual(bound);
        const sum = lines.reduce((total, line) => total + line.amountPico, 0n);
        expect((sum + 999n) / 1_000n).toBe(amount);
        expect(inputTokens(receipt.usage)).toBeGreaterThan(0);
        expect(receipt.usage.output).toBeGreaterThan(0);
        expect(receipt.usage.reasoning).toBeLessThanOrEqual(receipt.usage.output);
      }),
      { numRuns: count(40, 400) },
    );
  });
});
