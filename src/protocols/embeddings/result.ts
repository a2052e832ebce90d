import { usageText } from "../answer-usage.ts";
import type { ObjectText } from "../bytes/splice.ts";
import { faultOfEvent } from "../faults.ts";
import { isObject } from "../fields.ts";
import { errorIn } from "../status-in-body.ts";
import { inputTokens, readCounts, type Usage, withVendorCost } from "../usage.ts";
import type { VendorResult } from "../wire.ts";

function readUsage(usage: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined;
  const counts = readCounts({ input: usage.prompt_tokens ?? usage.total_tokens, output: 0 });
  return withVendorCost(counts, usage);
}

function writeUsage(usage: Usage) {
  return { prompt_tokens: inputTokens(usage), total_tokens: inputTokens(usage) };
}

export function readEmbeddingsResult(body: unknown, json: ObjectText): VendorResult {
  if (!isObject(body)) throw new Error("the vendor's answer is not an object");
  const failed = errorIn(body) !== undefined && !Array.isArray(body.data);
  if (!failed && !Array.isArray(body.data)) throw new Error("the vendor's answer has no data");
  return {
    id: undefined,
    usage: readUsage(body.usage),
    outputTokens: 0,
    webSearches: 0,
    failure: failed ? faultOfEvent(body) : undefined,
    body,
    write(options, end) {
      const usage = usageText(json, end, writeUsage);
      return json.written({ model: JSON.stringify(options.model), usage });
    },
  };
}
