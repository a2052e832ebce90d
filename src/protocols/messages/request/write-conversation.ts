import { composed } from "../../bytes/written-body.ts";
import type { Conversation } from "../../canon.ts";
import { type JsonObject, unsupported } from "../../fields.ts";
import type { UpstreamBody, UpstreamOptions } from "../../wire.ts";
import { closedSchema } from "./schema.ts";
import { writeMessages } from "./write-messages.ts";
import { writeSampling, writeThinking } from "./write-thinking.ts";
import { writeTools } from "./write-tools.ts";

/** This wire knows only formats with a schema; any other JSON has to be asked for in words. */
const JSON_ONLY = "Answer with one valid JSON object and nothing else.";

/** Answers would lack what was asked for, which no header can make good. */
function refuseUnanswerable({ choices, topLogprobs }: Conversation): void {
  if (choices > 1) {
    throw unsupported("n", "This model gives one choice for each request; leave 'n' out.");
  }
  if (topLogprobs !== undefined) {
    throw unsupported("logprobs", "This model does not tell log probabilities.");
  }
}

/** Settings without a place here, by the names that other wires have for them. */
function unplaced(conversation: Conversation): string[] {
  const { seed, verbosity, presencePenalty, frequencyPenalty } = conversation;
  return [
    ...(seed === undefined ? [] : ["seed"]),
    ...(verbosity === undefined || verbosity === "medium" ? [] : ["verbosity"]),
    ...(presencePenalty ? ["presence_penalty"] : []),
    ...(frequencyPenalty ? ["frequency_penalty"] : []),
  ];
}

function systemOf(system: string, { format }: Conversation): string {
  if (format?.type !== "json_object") return system;
  return system === "" ? JSON_ONLY : `${system}\n\n${JSON_ONLY}`;
}

function outputConfig({ format }: Conversation, effort: string | undefined): JsonObject {
  const schema = format?.type === "json_schema" ? closedSchema(format.schema) : undefined;
  return {
    ...(effort === undefined ? {} : { effort }),
    ...(schema ? { format: { type: "json_schema", schema } } : {}),
  };
}

/** Stop sequences that the vendor takes: those that say something. */
function stopSequences({ stop }: Conversation, dropped: string[]): string[] {
  const kept = stop.filter((text) => text.trim() !== "");
  if (kept.length < stop.length) dropped.push("stop");
  return kept;
}

/** A conversation as a request of this wire, for a vendor that speaks it. */
export function writeMessagesConversation(
  conversation: Conversation,
  options: UpstreamOptions,
): UpstreamBody {
  refuseUnanswerable(conversation);
  const dropped = unplaced(conversation);
  const { system, messages } = writeMessages(conversation, dropped);
  const max_tokens = Math.min(
    conversation.maxOutput ?? options.maxOutput,
    options.maxOutput,
    options.outputClamp ?? options.maxOutput,
  );
  const { thinking, effort } = writeThinking(conversation, options, max_tokens, messages, dropped);
  const thinks = thinking !== undefined && thinking.type !== "disabled";
  const fullSystem = systemOf(system, conversation);
  const output_config = outputConfig(conversation, effort);
  const stop_sequences = stopSequences(conversation, dropped);
  const sampling = writeSampling(conversation, options, thinks, dropped);
  const { user, cacheKey, stream, maxOutput } = conversation;
  const body = {
    model: options.model,
    max_tokens,
    ...(fullSystem === "" ? {} : { system: fullSystem }),
    messages,
    ...writeTools(conversation, messages, options, dropped),
    ...(thinking ? { thinking } : {}),
    ...(Object.keys(output_config).length > 0 ? { output_config } : {}),
    ...sampling,
    ...(stop_sequences.length > 0 ? { stop_sequences } : {}),
    ...(user === undefined ? {} : { metadata: { user_id: user } }),
    // Who names a cache wants one; the vendor then marks the end of the conversation by itself.
    ...(cacheKey === undefined ? {} : { cache_control: { type: "ephemeral" } }),
    ...(stream ? { stream } : {}),
  };
  // What the model needs and the client did not say is no change of what it said.
  const saysMaximum = maxOutput !== undefined || options.outputClamp !== undefined;
  const used = {
    temperature: sampling.temperature,
    maxOutput: saysMaximum ? max_tokens : undefined,
    effort,
  };
  return composed(body, [...new Set(dropped)], used);
}
