// The words of OpenTelemetry's conventions for generative AI, of which vendors and wires have others.
import type { Receipt } from "../../ledger/receipt.ts";
import { inputTokens, type Usage } from "../../protocols/usage.ts";
import type { Attributes } from "../../telemetry/traces/span.ts";

const OPERATIONS: Readonly<Record<string, string>> = {
  embeddings: "embeddings",
  gemini: "generate_content",
};

const PROVIDERS: Readonly<Record<string, string>> = {
  azure: "azure.ai.openai",
  google: "gcp.gemini",
  mistral: "mistral_ai",
  moonshot: "moonshot_ai",
  xai: "x_ai",
};

export function operationOf(endpoint: string): string {
  return OPERATIONS[endpoint] ?? "chat";
}

export function providerOf(vendor: string): string {
  return PROVIDERS[vendor] ?? vendor;
}

/** Buckets of ours are disjoint; these are not: what was cached is a part of the input. */
function usageAttributes(usage: Usage): Attributes {
  const written = usage.cacheWrite + usage.cacheWriteLong;
  return {
    "gen_ai.usage.input_tokens": inputTokens(usage),
    "gen_ai.usage.output_tokens": usage.output,
    "gen_ai.usage.cache_read.input_tokens": usage.cacheRead || undefined,
    "gen_ai.usage.cache_creation.input_tokens": written || undefined,
    "gen_ai.usage.reasoning.output_tokens": usage.reasoning || undefined,
  };
}

/** What the answer says of itself, on the call that brought it: whoever adds up tokens finds them once. */
export function answerAttributes(
  receipt: Receipt,
  finishReasons: readonly string[] | undefined,
): Attributes {
  return {
    "gen_ai.response.id": receipt.responseId ?? undefined,
    "gen_ai.response.model": receipt.servedModel ?? receipt.model,
    "gen_ai.response.finish_reasons": finishReasons?.length ? finishReasons : undefined,
    ...(receipt.usageSource === "none" ? {} : usageAttributes(receipt.usage)),
  };
}

/** What the request came to: whose it was, what it cost and why. */
export function moneyAttributes(receipt: Receipt): Attributes {
  return {
    "faregate.account.id": receipt.accountId,
    "faregate.key.id": receipt.keyId,
    "faregate.channel": receipt.channel ?? undefined,
    "faregate.billing_reason": receipt.billingReason,
    "faregate.usage_source": receipt.usageSource,
    "faregate.charged_nanousd": receipt.charge.amount,
    "faregate.loss_nanousd": receipt.loss || undefined,
    "faregate.attempts": receipt.attempts.length || (receipt.channel === null ? 0 : 1),
  };
}
