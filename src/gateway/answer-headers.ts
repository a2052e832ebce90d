import { droppedHeader } from "./dropped-header.ts";
import type { Answered } from "./vendor-calls.ts";

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

/** The headers of an answer: what admission says, what the vendor says, what it was not told or not asked for. */
export function answerHeaders(
  admitted: Readonly<Record<string, string>>,
  { response, dropped, clamp }: Pick<Answered<unknown>, "response" | "dropped" | "clamp">,
): Record<string, string> {
  const headers = { ...admitted };
  if (clamp !== undefined) headers[CLAMPED] = String(clamp);
  if (dropped.length > 0) headers[DROPPED] = droppedHeader(dropped);
  for (const name of PASSED_HEADERS) {
    const value = response.headers.get(name);
    if (value !== null) headers[name] = value;
  }
  return headers;
}
