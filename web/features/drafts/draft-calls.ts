// The calls of the drafts' pages, in one place.
import { ApiError, OFFLINE } from "../../lib/api.ts";
import type { Written } from "./contract.ts";

/** The gateway knows the key by its header; the visitor's cookie has no business there. */
async function callWithKey<Answer>(path: string, secret: string, body: object): Promise<Answer> {
  const response = await fetch(path, {
    method: "POST",
    credentials: "omit",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
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
  readonly draft: string;
}

export function writeArticle({ secret, ...body }: ModelCall & { brief: string }): Promise<Written> {
  return callWithKey("/v1/drafts:write", secret, body);
}

interface ShortenCall extends ModelCall {
  readonly field: string;
  readonly text: string;
  readonly limit: number;
}

interface Shortened extends Pick<Written, "writing"> {
  readonly text: string;
}

export function shortenText({ secret, ...body }: ShortenCall): Promise<Shortened> {
  return callWithKey("/v1/drafts:shorten", secret, body);
}

/** A complaint of this page itself, for where refusals of the server are told too. */
export function inWords(words: string): ApiError {
  return new ApiError(400, "invalid_value", words, null);
}
