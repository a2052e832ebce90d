import { get, instant, told } from "../../lib/contract.ts";
import * as z from "../../lib/schemas.ts";
import { count, GOOGLE } from "./by-key.ts";

const ID = told(z.string(), "The id in requests.", "sandbox-1.0");
const NAME = told(z.string(), "For people.", "Sandbox");

/** In dollars for one of them, as a decimal. */
const price = (of: string, example: string) => told(z.string(), `In dollars ${of}.`, example);
const modalities = (description: string) => told(z.array(z.string()), description, ["text"]);

const openaiModel = z.strictObject({
  id: ID,
  object: z.literal("model"),
  created: count("In seconds since 1970.", 1_794_300_000),
  owned_by: told(z.string(), "The owner of the model.", "faregate"),
  name: NAME,
  context_length: count("How many tokens it holds.", 128_000),
  architecture: z.strictObject({
    modality: told(z.string(), "What it reads and writes, in one word.", "text+image->text"),
    input_modalities: modalities("What it reads here."),
    output_modalities: modalities("What it writes."),
    instruct_type: z.null(),
  }),
  pricing: told(
    z.strictObject({
      prompt: price("for a token that is read", "0.000001"),
      completion: price("for a token that is written", "0.000004"),
      input_cache_read: price("for a token that is read from a cache", "0.0000001"),
      input_cache_write: price("for a token that is put into a cache", "0.000001"),
      request: price("for the request itself", "0"),
      image: price("for an image beside its tokens", "0"),
      web_search: price("for a search", "0.01").optional(),
    }),
    "What it costs now. Prompts beyond a size may cost more; the receipt has the price that was paid.",
  ),
  top_provider: z.strictObject({
    context_length: count("The same as above.", 128_000),
    max_completion_tokens: told(z.int().nullable(), "The maximum output in tokens.", 16_384),
    is_moderated: z.literal(false),
  }),
  per_request_limits: z.null(),
  supported_parameters: told(z.array(z.string()), "What a chat may ask of it.", [
    "max_tokens",
    "tools",
  ]),
});

const anthropicModel = z.looseObject({
  type: z.literal("model"),
  id: ID,
  display_name: NAME,
  created_at: instant,
});

const googleModel = z.looseObject({
  name: told(z.string(), "The id behind `models/`.", "models/sandbox-1.0"),
  displayName: NAME,
  supportedGenerationMethods: told(z.array(z.string()), "What can be asked of it.", [
    "generateContent",
  ]),
});

const openaiList = z.looseObject({ object: z.literal("list"), data: z.array(openaiModel) });
const anthropicList = z.looseObject({ data: z.array(anthropicModel), has_more: z.boolean() });
const googleList = z.looseObject({
  models: z.array(googleModel),
  nextPageToken: told(z.string(), "For the next page, if there is one.").optional(),
});

const GOOGLE_PAGE = {
  pageSize: told(z.string(), "For Google's clients: how many on a page.").optional(),
  pageToken: told(z.string(), "For Google's clients: which page.").optional(),
};

/** By what is sent: `anthropic-version` asks for Anthropic's words, a key as Google's clients show it for theirs. */
const ANY_CLIENT = { credentials: ["key", "anthropicKey", "googleKey"] } as const;

export const LIST_MODELS = get(
  "/v1/models",
  "Lists the models that the key can call, in the client's shape.",
  {
    query: z.object({
      limit: told(z.string(), "For Anthropic's clients: how many on a page.").optional(),
      after_id: told(z.string(), "For Anthropic's clients: the page behind this model.").optional(),
      before_id: told(z.string(), "For Anthropic's clients: the page in front of it.").optional(),
      ...GOOGLE_PAGE,
      client_version: told(
        z.string(),
        "The version of Codex, which reads a list of its own.",
      ).optional(),
    }),
    answer: z.union([openaiList, anthropicList, googleList]),
    ...ANY_CLIENT,
  },
);
export const SHOW_MODEL = get("/v1/models/:id", "Shows one model, in the client's shape.", {
  answer: z.union([openaiModel, anthropicModel, googleModel]),
  ...ANY_CLIENT,
});
export const LIST_GOOGLE_MODELS = get(
  "/v1beta/models",
  "Lists the models that the key can call, in Google's shape.",
  { query: z.object(GOOGLE_PAGE), answer: googleList, ...GOOGLE },
);
export const SHOW_GOOGLE_MODEL = get("/v1beta/models/:id", "Shows one model, in Google's shape.", {
  answer: googleModel,
  ...GOOGLE,
});
