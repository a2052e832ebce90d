// The calls of the drafts' pages, in one place.
import { ApiError, OFFLINE } from "../../lib/api.ts";
import { intentFor } from "../../lib/intent.ts";
import type { Draft, Written } from "./contract.ts";

/** The gateway knows the key by its header; the visitor's cookie has no business there. */
async function callWithKey<Answer>(path: string, call: ModelCall): Promise<Answer> {
  const { secret, draft, turn, ...wish } = call;
  const body = { ...wish, draft: draft.id };
  const response = await fetch(path, {
    method: "POST",
    credentials: "omit",
    headers: {
      authorization: `Bearer ${secret}`,
      "content-type": "application/json",
      // Paid once, however often it is sent.
      "idempotency-key": intentFor(draft, body, turn),
    },
    body: JSON.stringify(body),
  }).catch((thrown: unknown) => {
    throw new ApiError(0, OFFLINE, String(thrown), null);
  });
  const answer = await response.json().catch(() => undefined);
  if (response.ok) return answer;
  const { message = response.statusText, code = OFFLINE, param = null } = answer?.error ?? {};
  throw new ApiError(response.status, code ?? "", message, param);
}

interface ModelCall {
  readonly secret: string;
  readonly model: string;
  /** The draft whose receipt is to have the call. */
  readonly draft: Pick<Draft, "id" | "version">;
  /** How many answers to the same wish were had before. */
  readonly turn?: number;
}

interface WriteCall extends ModelCall {
  readonly brief: string;
}

export function writeArticle(call: WriteCall): Promise<Written> {
  return callWithKey("/v1/drafts:write", call);
}

interface ShortenCall extends ModelCall {
  readonly field: string;
  readonly text: string;
  readonly limit: number;
}

interface Shortened extends Pick<Written, "writing"> {
  readonly text: string;
}

export function shortenText(call: ShortenCall): Promise<Shortened> {
  return callWithKey("/v1/drafts:shorten", call);
}

/** A complaint of this page itself, for where refusals of the server are told too. */
export function inWords(words: string): ApiError {
  return new ApiError(400, "invalid_value", words, null);
}
