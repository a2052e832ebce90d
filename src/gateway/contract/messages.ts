import { post, told } from "../../lib/contract.ts";
import * as z from "../../lib/schemas.ts";
import {
  ANTHROPIC,
  COST,
  count,
  FALLBACKS,
  IDEMPOTENT,
  MODEL,
  STREAM,
  temperature,
  thing,
  things,
  topP,
} from "./by-key.ts";

const blocks = z.array(z.looseObject({ type: z.string() }));

const CONVERSATION = {
  model: MODEL,
  messages: told(
    z.array(z.looseObject({ role: z.string(), content: z.union([z.string(), blocks]) })).min(1),
    "The whole conversation.",
    [{ role: "user", content: "Say hello." }],
  ),
  system: told(z.union([z.string(), blocks]), "What holds for the whole conversation.").optional(),
  tools: things("Functions, with their `input_schema`."),
  tool_choice: thing("Which tool is to be called."),
  thinking: thing("Whether and how much is thought."),
};

const message = z
  .looseObject({
    id: told(z.string(), "The id of the answer; it also finds the receipt.", "msg_01jc8z4v"),
    type: z.literal("message"),
    role: z.literal("assistant"),
    model: told(z.string(), "The model that answered.", "sandbox-1.0"),
    content: told(blocks, "What was written.", [{ type: "text", text: "Hello." }]),
    stop_reason: told(z.string().nullable(), "Why it ended.", "end_turn"),
    usage: z.looseObject({
      input_tokens: count("Without cached tokens.", 11),
      output_tokens: count("Thinking included.", 2),
      ...COST,
    }),
  })
  .meta({ id: "Message" });

const EXAMPLE = {
  model: "sandbox-1.0",
  messages: [{ role: "user", content: "Say hello." }],
};

export const CREATE_MESSAGE = post(
  "/v1/messages",
  "Answers a conversation on Anthropic's wire, whole or as a stream.",
  {
    headers: IDEMPOTENT,
    body: z.looseObject({
      ...CONVERSATION,
      max_tokens: told(z.int().min(1), "The maximum output. The hold depends on it.", 1_024),
      ...FALLBACKS,
      stream: STREAM,
      stop_sequences: told(z.array(z.string()), "Where the answer ends.").optional(),
      temperature,
      top_p: topP,
    }),
    example: { ...EXAMPLE, max_tokens: 1_024 },
    answer: message,
    stream: "Events as Anthropic sends them, from `message_start` to `message_stop`, or `error`.",
    ...ANTHROPIC,
  },
);
export const COUNT_MESSAGE_TOKENS = post(
  "/v1/messages/count_tokens",
  "Estimates the input tokens of a message, free of charge.",
  {
    body: z.looseObject(CONVERSATION),
    example: EXAMPLE,
    answer: z.strictObject({ input_tokens: count("Estimated.", 11) }),
    ...ANTHROPIC,
  },
);
