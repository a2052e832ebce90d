// What the calls by key have in common. Bodies are read by the wires themselves, which say at which member one is
// wrong and pass on what they do not know: here stands what is read, and what it means.

import { told } from "../../lib/contract.ts";
import * as z from "../../lib/schemas.ts";

export const MODEL = told(
  z.string(),
  "The model, by its identifier in `GET /v1/models`.",
  "sandbox-1.0",
);

/** What every request for an answer may have, beside what its wire says. */
export const FALLBACKS = {
  models: told(z.array(z.string()), "Models that may answer instead, in this order.").optional(),
};

export const STREAM = told(
  z.boolean(),
  "Whether the answer comes event by event while it is written.",
).optional();

/** What is charged over HTTP may be asked again without paying for an answer twice. */
export const IDEMPOTENT = z.object({
  "idempotency-key": told(
    z.string(),
    "The same request with the same value gets the first answer again, and is charged once.",
  ).optional(),
});

export const count = (description: string, example: number) => told(z.int(), description, example);

/** What an answer cost, beside its counts. A key may hide it. */
export const COST = {
  cost: told(z.number(), "In dollars, as a number.", 0.000019).optional(),
  cost_exact: told(z.string(), "The same, exact, as a decimal.", "0.000019").optional(),
};

export const temperature = told(z.number(), "The sampling temperature.").optional();
export const topP = told(
  z.number(),
  "Nucleus sampling: the share of likely tokens to choose from.",
).optional();

/** Things of the wire whose members are the client's or the vendor's. */
export const things = (description: string) =>
  told(z.array(z.looseObject({})), description).optional();
export const thing = (description: string) => told(z.looseObject({}), description).optional();

/** An error, as Anthropic's clients read it. */
const ANTHROPIC_FAULT = z
  .looseObject({
    type: z.literal("error"),
    error: z.looseObject({
      type: told(z.string(), "By the status.", "invalid_request_error"),
      message: told(z.string(), "What is wrong.", "Missing required parameter: 'model'."),
    }),
    request_id: told(z.string(), "The id of the request.", "req_01jc8z4v"),
  })
  .meta({ id: "AnthropicError" });

/** An error, as Google's clients read it. */
const GOOGLE_FAULT = z
  .looseObject({
    error: z.looseObject({
      code: told(z.int(), "The status.", 400),
      message: told(z.string(), "What is wrong.", "Missing required parameter: 'contents'."),
      status: told(z.string(), "The status in Google's words.", "INVALID_ARGUMENT"),
    }),
  })
  .meta({ id: "GoogleError" });

export const ANTHROPIC = { fault: ANTHROPIC_FAULT, credentials: ["key", "anthropicKey"] } as const;
export const GOOGLE = { fault: GOOGLE_FAULT, credentials: ["key", "googleKey"] } as const;
