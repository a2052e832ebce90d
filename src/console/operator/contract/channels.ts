import { VENDOR_IDS } from "../../../config/file.ts";
import { get, instant, listOf, patch, post, remove } from "../../../lib/contract.ts";
import * as z from "../../../lib/schemas.ts";
import { ofFile } from "./described.ts";
import { modelForm } from "./models.ts";

const NAME_CHARS_MAX = 100;
const KEY_CHARS_MAX = 1_000;
const KEYS_MAX = 100;
const NEW_MODELS_MAX = 100;
const MODEL_CHARS_MAX = 128;

const keyList = z.array(z.string().min(1).max(KEY_CHARS_MAX)).max(KEYS_MAX);

/** The members of the file, checked by its rules, and keys that come and go. */
const channelForm = z.looseObject({
  name: z.string().max(NAME_CHARS_MAX).nullish(),
  keys: keyList.nullish().describe("All of its credentials; they replace the present ones."),
  add_keys: keyList.optional(),
  remove_keys: z
    .array(z.string().length(4))
    .max(KEYS_MAX)
    .optional()
    .describe("The last four characters of keys that go."),
  new_models: z
    .array(modelForm)
    .max(NEW_MODELS_MAX)
    .optional()
    .describe("Models that it serves and that have no price yet, with their prices."),
  id: ofFile("string", "Its name on receipts; stays. The vendor's name, unless it is said."),
  vendor: ofFile("string", `One of ${VENDOR_IDS.join(", ")}, custom.`),
  base_url: ofFile("string", "The vendor's, unless it is said."),
  protocols: ofFile("array", "For `custom` only: of responses, chat, messages, gemini."),
  weight: ofFile("integer", "Its share among channels of one priority."),
  priority: ofFile("integer", "The highest number is tried first."),
  models: z
    .unknown()
    .optional()
    .describe("A list of our ids, a mapping of our ids to the vendor's, or `fetch`."),
  enabled: ofFile(
    "boolean",
    "The only one that is set here of channels that are described elsewhere.",
  ),
  on_disconnect: ofFile("string", "What follows when a client leaves: abort, or drain."),
  headers: ofFile("object", "Sent with every call."),
  free: ofFile("boolean", "Nobody is billed for what it does."),
  allow: ofFile("object", "What it may be asked for beyond the lists, and what that costs."),
});

const STATES = ["untried", "failing", "ok", "cooled", "trial", "refused"] as const;

const reason = z
  .enum(["faults", "quota", "rate"])
  .nullable()
  .describe(
    "Why it gets no requests: the vendor fails, no key has quota left, or all keys are limited.",
  );

/** What both a channel and the overview of the system say of it. */
export const channelLine = z.strictObject({
  id: z.string(),
  vendor: z.string(),
  enabled: z.boolean(),
  state: z
    .enum(STATES)
    .describe("`untried`: it had no request yet. `cooled`: it gets no requests now."),
  reason,
});

const vendorKey = z.strictObject({
  last_four: z.string().describe("Empty for keys that are too short to show a part of."),
  state: z.enum(["ok", "cooled", "refused"]),
  cooled_until: instant.nullable(),
  message: z.string().nullable().describe("Why the vendor refuses it, in its own words."),
});

const channel = z
  .strictObject({
    object: z.literal("channel"),
    id: z.string(),
    name: z.string(),
    vendor: z.string().nullable().describe("Null if the stored value cannot be read."),
    origin: z.enum(["console", "faregate.yaml", "environment", "sandbox"]),
    enabled: z.boolean(),
    weight: z.int(),
    priority: z.int(),
    base_url: z.string().nullable(),
    protocols: z.array(z.string()).readonly().nullable(),
    on_disconnect: z.string().nullable(),
    models: z
      .union([
        z.enum(["vendor", "fetch"]),
        z.array(z.string()).readonly(),
        z.record(z.string(), z.string()),
      ])
      .describe("What it serves: all of the vendor, what the vendor lists, or what is named."),
    created_at: instant.nullable(),
    changed_at: instant.nullable(),
    serves: z.array(z.string()).readonly(),
    unpriced: z
      .array(z.string())
      .readonly()
      .describe("Models that its vendor lists or its `models` name, without a price: not served."),
    state: z.enum([...STATES, "broken"]).describe("`broken`: why, `problem` says."),
    reason,
    cooled_until: instant.nullable(),
    window: z
      .strictObject({ attempts: z.int(), faults: z.int() })
      .describe("The last five minutes; refused and exhausted keys count as failures."),
    answered_at: instant.nullable().describe("When it answered last, before a restart too."),
    failed_at: instant.nullable(),
    last_error: z
      .strictObject({
        at: instant,
        kind: z.enum(["credential", "rate", "model", "vendor", "unreachable"]),
        status: z.int().nullable(),
        message: z.string(),
      })
      .nullable(),
    counts: z
      .strictObject({ since: instant, estimated: z.int(), clamped: z.int() })
      .describe("How often the vendor's counts were corrected."),
    keys: z.array(vendorKey).readonly(),
    problem: z.string().nullable(),
  })
  .meta({ id: "Channel" });

const outcome = {
  ok: z.boolean(),
  status: z.int().nullable(),
  latency_ms: z.number(),
  error: z.string().nullable().describe("The vendor's own words."),
};

const channelTest = z
  .strictObject({
    object: z.literal("channel_test"),
    method: z.enum(["generate", "list"]),
    model: z.string().nullable(),
    ...outcome,
    keys: z.array(z.strictObject({ last_four: z.string(), ...outcome })).readonly(),
  })
  .meta({ id: "ChannelTest" });

const listedName = z.strictObject({
  name: z.string(),
  model: z.string().nullable().describe("Null without a price."),
});

const channelTrial = channelTest
  .extend({
    object: z.literal("channel_trial"),
    models: z
      .array(listedName)
      .readonly()
      .nullable()
      .describe("What the vendor lists; null where it has no list, or did not give it."),
  })
  .meta({ id: "ChannelTrial" });

export type Channel = z.output<typeof channel>;
export type ChannelLine = z.output<typeof channelLine>;
export type ChannelTest = z.output<typeof channelTest>;
export type ListedName = z.output<typeof listedName>;
export type ChannelTrial = z.output<typeof channelTrial>;
/** As the server reads them. */
export type ReadChannelForm = z.output<typeof channelForm>;

const CHANNELS = "/api/operator/channels";
const CHANNEL = `${CHANNELS}/:id`;
const example = { vendor: "openai", name: "OpenAI main", keys: ["sk-…"], priority: 10 };

export const LIST_CHANNELS = get(CHANNELS, "Lists all channels with their health.", {
  answer: listOf(channel),
});
export const CREATE_CHANNEL = post(
  CHANNELS,
  "Adds a channel, with the members of `faregate.yaml`.",
  {
    body: channelForm,
    example,
    status: 201,
    answer: channel,
  },
);
export const TRY_CHANNEL = post(
  `${CHANNELS}/try`,
  "Tests a new channel, or a change of the one with this `id`; saves nothing.",
  { body: channelForm, example, answer: channelTrial },
);
export const SHOW_CHANNEL = get(CHANNEL, "Shows a channel with its health.", { answer: channel });
export const CHANGE_CHANNEL = patch(CHANNEL, "Changes the named members; null removes.", {
  body: channelForm,
  example: { priority: 5, add_keys: ["sk-…"], remove_keys: ["a1B2"] },
  answer: channel,
});
export const DELETE_CHANNEL = remove(CHANNEL, "Deletes a channel of the console.", {
  answer: z.strictObject({
    object: z.literal("channel"),
    id: z.string(),
    deleted: z.literal(true),
  }),
});
export const REVIVE_CHANNEL = post(`${CHANNEL}/revive`, "Ends the rest of its keys.", {
  answer: channel,
});
export const TEST_CHANNEL = post(
  `${CHANNEL}/test`,
  "Tests every key, with the cheapest model unless one is named.",
  {
    body: z.strictObject({ model: z.string().max(MODEL_CHARS_MAX).optional() }),
    example: { model: "gpt-5.2-mini" },
    answer: channelTest,
  },
);
