import type { Answered } from "./calling.ts";
import { droppedHeader } from "./dropped-header.ts";

/** Vendor headers that may reach the client. */
const PASSED_HEADERS = ["openai-processing-ms", "openai-version"];

/** The headers of an answer: what admission says, what the vendor says, what it was not told or not asked for. */
export function answerHeaders(
  admitted: Readonly<Record<string, string>>,
  { response, dropped, clamp }: Pick<Answered<unknown>, "response" | "dropped" | "clamp">,
): Record<string, string> {
  const headers = { ...admitted };
  if (clamp !== undefined) headers["x-faregate-clamped"] = String(clamp);
  if (dropped.length > 0) headers["x-faregate-dropped"] = droppedHeader(dropped);
  for (const name of PASSED_HEADERS) {
    const value = response.headers.get(name);
    if (value !== null) headers[name] = value;
  }
  return headers;
}
