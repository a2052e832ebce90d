import { isObject, type JsonObject } from "./fields.ts";

/** The names by which vendors say an HTTP status, by status. */
const NAMES: readonly (readonly [number, readonly string[]])[] = [
  [400, ["invalid_request_error", "invalid_argument", "context_length_exceeded", "invalid_prompt"]],
  // What Responses vendors find in a picture or a text once they have begun to answer.
  [400, ["invalid_image", "invalid_image_format", "invalid_base64_image", "invalid_image_url"]],
  [400, ["invalid_image_mode", "image_parse_error", "image_too_large", "image_too_small"]],
  [400, ["image_file_too_large", "image_file_not_found", "empty_image_file"]],
  [400, ["unsupported_image_media_type", "failed_to_download_image"]],
  [400, ["image_content_policy_violation", "content_policy_violation", "content_filter"]],
  [400, ["bio_policy", "data_inspection_failed"]],
  [401, ["invalid_api_key", "authentication_error", "invalid_authentication_error"]],
  [401, ["unauthenticated"]],
  [402, ["billing_error", "insufficient_balance"]],
  [403, ["permission_error", "permission_denied"]],
  [404, ["model_not_found", "not_found_error", "not_found"]],
  [413, ["request_too_large"]],
  [429, ["rate_limit_exceeded", "rate_limit_error", "rate_limit_reached_error", "rate_limited"]],
  [429, ["too_many_requests", "slow_down", "resource_exhausted", "limit_requests"]],
  [429, ["insufficient_quota", "quota_exceeded", "exceeded_current_quota_error"]],
  [429, ["billing_hard_limit_reached", "credit_balance_exhausted"]],
  [429, ["organization_spend_limit_exceeded", "project_spend_limit_exceeded"]],
  [429, ["organization_usage_limit_exceeded", "engine_overloaded_error"]],
  [503, ["service_unavailable_error", "server_is_overloaded", "unavailable"]],
  [529, ["overloaded_error"]],
];

const STATUSES = new Map(NAMES.flatMap(([status, names]) => names.map((name) => [name, status])));

/**
 * Beginnings of messages that say a status without a name. Only the beginning counts, since the rest may quote the
 * request.
 */
const SENTENCES: readonly (readonly [number, RegExp])[] = [
  [400, /^invalid params?\b/i],
  [401, /^(?:invalid|incorrect) api key\b/i],
  [402, /^insufficient balance\b/i],
  [429, /^(?:requests? )?rate limit\b|^too many requests\b|^quota exceeded\b/i],
  [429, /^you exceeded your current quota\b/i],
  [529, /^(?:\w+ ){0,4}overloaded\b/i],
];

const LOWEST = 400;
const HIGHEST = 599;

function isStatus(code: number): boolean {
  return Number.isInteger(code) && code >= LOWEST && code <= HIGHEST;
}

/** Some write the status itself, as a number or as a text. */
function statusOf(name: unknown): number | undefined {
  if (typeof name === "number") return isStatus(name) ? name : undefined;
  if (typeof name !== "string") return undefined;
  return /^\d{3}$/.test(name) ? statusOf(Number(name)) : STATUSES.get(name.toLowerCase());
}

/** The HTTP status that an error names in its body; undefined if it names none. */
export function statusInBody({ code, status, type, message }: JsonObject): number | undefined {
  const named = statusOf(code) ?? statusOf(status) ?? statusOf(type);
  if (named !== undefined || typeof message !== "string") return named;
  return SENTENCES.find(([, words]) => words.test(message))?.[0];
}

/** The error in a body: an object, a sentence, or the whole body. */
export function errorIn(body: unknown): JsonObject | undefined {
  if (!isObject(body)) return undefined;
  const { error, base_resp: answered } = body;
  if (isObject(error)) return error;
  if (typeof error === "string" && error !== "") return { ...body, message: error };
  // MiniMax says with every answer how it went.
  if (isObject(answered) && Number(answered.status_code ?? 0) !== 0) {
    return { message: answered.status_msg, code: answered.status_code };
  }
  return body.object === "error" ? body : undefined;
}

/** Whether an event is an error, where events have types. Relays write theirs without one, for all wires alike. */
export function isErrorEvent(event: unknown): event is JsonObject {
  if (!isObject(event)) return false;
  if (event.type === "error" || event.object === "error") return true;
  return event.type === undefined && errorIn(event) !== undefined;
}
