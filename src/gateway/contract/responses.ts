import { get, post, remove, told } from "../../lib/contract.ts";
import * as z from "../../lib/schemas.ts";
import {
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

const items = z.array(z.looseObject({ type: z.string().optional() }));

const INPUT = told(
  z.union([z.string(), items]),
  "A text, or the items of the conversation: messages, calls of tools and their outputs.",
  "Say hello.",
);

const CONVERSATION = {
  model: MODEL,
  input: INPUT.optional(),
  instructions: told(z.string(), "What holds for the whole conversation.").nullish(),
  previous_response_id: told(
    z.string(),
    "The stored response to continue; `input` is then optional.",
  ).nullish(),
};

const request = z
  .looseObject({
    ...CONVERSATION,
    ...FALLBACKS,
    stream: STREAM,
    store: told(z.boolean(), "Whether the answer is kept; it is, unless this is false.").optional(),
    max_output_tokens: told(
      z.int().min(1),
      "The maximum output. The hold depends on it.",
    ).nullish(),
    tools: things("Functions, custom tools, or the vendor's web search."),
    tool_choice: told(
      z.union([z.string(), z.looseObject({})]),
      "Which tool is to be called.",
    ).optional(),
    parallel_tool_calls: told(z.boolean(), "Whether several may be called at once.").optional(),
    text: thing("The form of the answer: `format` with a JSON schema, `verbosity`."),
    reasoning: thing("How much is thought: `effort`, and whether a `summary` of it is shown."),
    temperature,
    top_p: topP,
    metadata: thing("Kept with the response."),
  })
  .meta({ id: "ResponseRequest" });

const response = z
  .looseObject({
    id: told(z.string(), "The id for reading and continuing the response.", "resp_01jc8z4v"),
    object: z.literal("response"),
    created_at: count("In seconds since 1970.", 1_794_300_000),
    status: told(z.string(), "`completed`, `incomplete` or `failed`.", "completed"),
    model: told(z.string(), "The model that answered.", "sandbox-1.0"),
    output: told(
      z.array(z.looseObject({ type: z.string() })),
      "What was written: messages, calls of tools, reasoning.",
      [{ type: "message", role: "assistant", content: [{ type: "output_text", text: "Hello." }] }],
    ),
    usage: z
      .looseObject({
        input_tokens: count("Cached tokens included.", 11),
        output_tokens: count("Reasoning included.", 2),
        total_tokens: count("Both.", 13),
        ...COST,
      })
      .nullable(),
  })
  .meta({ id: "Response" });

const EXAMPLE = { model: "sandbox-1.0", input: "Say hello." };
const RESPONSES = "/v1/responses";
const RESPONSE = `${RESPONSES}/:id`;

export const CREATE_RESPONSE = post(
  RESPONSES,
  "Answers a conversation, whole or as a stream, and stores the answer.",
  {
    headers: IDEMPOTENT,
    body: request,
    example: EXAMPLE,
    answer: response,
    stream:
      "Events as OpenAI sends them, from `response.created` to `response.completed`, `response.incomplete` or " +
      "`response.failed`; the last one has the whole response with its usage.",
  },
);
export const COUNT_INPUT_TOKENS = post(
  `${RESPONSES}/input_tokens`,
  "Estimates the input tokens of a request, free of charge.",
  {
    body: request,
    example: EXAMPLE,
    answer: z.strictObject({
      object: z.literal("response.input_tokens"),
      input_tokens: count("Estimated.", 11),
    }),
  },
);
export const COMPACT = post(
  `${RESPONSES}/compact`,
  "Shortens a conversation: the model writes a summary, at its usual price.",
  {
    headers: IDEMPOTENT,
    body: z.looseObject({ ...CONVERSATION, ...FALLBACKS }),
    example: EXAMPLE,
    answer: z.looseObject({
      id: told(
        z.string(),
        "The id of this answer, which finds its receipt; the answer is not stored.",
        "resp_01jc8z4v",
      ),
      object: z.literal("response.compaction"),
      output: told(
        z.array(z.looseObject({ type: z.string() })),
        "The beginning of the next input: the messages of users, and one item for everything else.",
        [{ type: "compaction", encrypted_content: "fgc1…" }],
      ),
    }),
  },
);
export const SHOW_RESPONSE = get(RESPONSE, "Shows a stored response.", { answer: response });
export const DELETE_RESPONSE = remove(RESPONSE, "Deletes a stored response.", {
  answer: z.strictObject({
    id: told(z.string(), "The requested one.", "resp_01jc8z4v"),
    object: z.literal("response"),
    deleted: z.literal(true),
  }),
});
export const LIST_INPUT_ITEMS = get(
  `${RESPONSE}/input_items`,
  "Lists the input of a stored response.",
  {
    query: z.object({
      limit: told(z.string(), "From 1 to 100; 20, unless it is said.").optional(),
      order: told(
        z.enum(["asc", "desc"]),
        "`desc`, the newest first, unless it is said.",
      ).optional(),
      after: told(z.string(), "The page starts after the item with this id.").optional(),
    }),
    answer: z.strictObject({
      object: z.literal("list"),
      data: told(z.array(z.looseObject({})).readonly(), "Items.", [
        { type: "message", role: "user", content: [{ type: "input_text", text: "Say hello." }] },
      ]),
      has_more: z.boolean(),
      first_id: told(z.string().nullable(), "The first or last id of the page.", "msg_01jc8z4v"),
      last_id: told(z.string().nullable(), "The first or last id of the page.", "msg_01jc8z4v"),
    }),
  },
);
