import type { Dispatch } from "./asking/dispatch.ts";
import type { Answered } from "./asking/vendor-calls.ts";
import { droppedHeader } from "./dropped-header.ts";

/** Vendor headers that may reach the client. */
const PASSED_HEADERS = ["openai-processing-ms", "openai-version"];

const CLAMPED = "x-faregate-clamped";
const DROPPED = "x-faregate-dropped";

/** Those headers of an answer that say how its request was changed. */
export function changesIn(headers: Headers): Record<string, string> {
  const told = [CLAMPED, DROPPED].map((name) => [name, headers.get(name)] as const);
  return Object.fromEntries(
    told.flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
}

/** To how much output an answer was cut; or by what, for whoever may not hear how far. */
function clampWord({ admitted }: Pick<Dispatch, "admitted">, clamp: number): string {
  return admitted.tellsClamp ? String(clamp) : "balance";
}

/** The headers of an answer: what admission says, what the vendor says, what it was not told or not asked for. */
export function answerHeaders(
  dispatch: Pick<Dispatch, "admitted" | "headers">,
  {
    response,
    dropped,
    clamp,
    lowered,
  }: Pick<Answered<unknown>, "response" | "dropped" | "clamp" | "lowered">,
): Record<string, string> {
  const headers: Record<string, string> = { ...dispatch.headers };
  const output = clamp === undefined ? lowered?.output : clampWord(dispatch, clamp);
  const searches = lowered?.searches;
  if (output !== undefined) {
    headers[CLAMPED] = searches === undefined ? String(output) : `${output}, ${searches}`;
  } else if (searches !== undefined) headers[CLAMPED] = searches;
  if (dropped.length > 0) headers[DROPPED] = droppedHeader(dropped);
  for (const name of PASSED_HEADERS) {
    const value = response.headers.get(name);
    if (value !== null) headers[name] = value;
  }
  return headers;
}
