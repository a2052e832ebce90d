import { generation } from "../../gateway/contract/generation.ts";
import {
  choiceParameter,
  get,
  listOf,
  momentParameter,
  PAGE,
  textParameter,
} from "../../lib/contract.ts";
import { idTime } from "../../lib/ids.ts";
import * as z from "../../lib/schemas.ts";

const REQUEST_STATUSES = ["ok", "error", "refused"] as const;
export const requestStatus = z.enum(REQUEST_STATUSES);

export const requestRow = generation
  .pick({
    id: true,
    created_at: true,
    key_id: true,
    model: true,
    served_model: true,
    endpoint: true,
    stream: true,
    billing_reason: true,
    error_code: true,
    cost: true,
    duration_ms: true,
    first_byte_ms: true,
    requests: true,
    last_at: true,
  })
  .extend({
    key_name: z.string(),
    status: requestStatus,
    http_status: z.int(),
    input_tokens: z.int(),
    output_tokens: z.int(),
    channel: z.string().nullable().optional().describe("Only operators see it."),
  })
  .meta({ id: "RequestRow" });

export type RequestStatus = z.output<typeof requestStatus>;
export type RequestRow = z.output<typeof requestRow>;

function requestId(name: string) {
  const words = `'${name}' must be the id of a request.`;
  return textParameter.refine((text) => idTime(text) !== undefined, words);
}

const FILTER = {
  key: textParameter.optional(),
  model: textParameter.optional(),
  status: choiceParameter(REQUEST_STATUSES).optional(),
};
const q = textParameter
  .optional()
  .describe("The id of a request or of its answer; finds only this one.");
const SPAN = { from: momentParameter.optional(), to: momentParameter.optional() };

/** Where the part of a list begins, and where its tail; each is read where it counts. */
export const REQUEST_SPAN = z.object({ after: requestId("after").optional(), ...SPAN });
export const REQUEST_TAIL = z.object({ since: requestId("since") });

export const REQUESTS = "/api/accounts/:account/requests";

export const LIST_REQUESTS = get(REQUESTS, "Lists requests, newest first.", {
  query: z.object({
    ...FILTER,
    ...PAGE,
    q,
    since: z
      .string()
      .optional()
      .describe("Requests that began or ended after the request with this id."),
    from: z.string().optional().describe("A time such as 2026-01-31T12:00:00Z."),
    to: z.string().optional().describe("A time, not included."),
  }),
  answer: listOf(requestRow),
});
export const SAVE_REQUESTS = get(`${REQUESTS}.csv`, "Downloads all requests.", {
  query: z.object({ ...FILTER, ...SPAN, q }),
  answer: { contentType: "text/csv" },
});
