/** What can be asked of a model, as the last word of its path. */
export const GEMINI_METHODS = ["generateContent", "streamGenerateContent", "countTokens"] as const;

interface GeminiPath {
  readonly model: string;
  readonly method: (typeof GEMINI_METHODS)[number];
}

/** The last piece of a path, `gemini-2.5-pro:streamGenerateContent`; undefined for any other. */
export function readGeminiPath(piece: string): GeminiPath | undefined {
  const colon = piece.lastIndexOf(":");
  const method = GEMINI_METHODS.find((known) => known === piece.slice(colon + 1));
  if (colon < 1 || !method) return undefined;
  try {
    return { model: decodeURIComponent(piece.slice(0, colon)), method };
  } catch {
    // What is not a valid address names no model.
    return undefined;
  }
}

/** Whether a stream is asked for in the vendor's other form, one array that is long in coming. */
export function isArrayStream({ pathname, searchParams }: URL): boolean {
  return pathname.endsWith(":streamGenerateContent") && searchParams.get("alt") !== "sse";
}

/** Where a vendor of this wire takes a request. Without `alt=sse` it would stream one large array. */
export function geminiPath(model: string, stream: boolean): string {
  const name = encodeURIComponent(model);
  return stream
    ? `/models/${name}:streamGenerateContent?alt=sse`
    : `/models/${name}:generateContent`;
}

/** The answer to a request that only asks how long its input is. */
export function writeCountTokens(totalTokens: number): string {
  return JSON.stringify({ totalTokens });
}
