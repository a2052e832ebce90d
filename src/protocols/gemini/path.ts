/** What can be asked of a model that writes, as the last word of its path. */
export const WRITING_METHODS = ["generateContent", "streamGenerateContent", "countTokens"] as const;
/** The same of a model for embeddings. */
export const EMBED_METHODS = ["embedContent", "batchEmbedContents"] as const;

export type EmbedMethod = (typeof EMBED_METHODS)[number];

interface GeminiPath {
  readonly model: string;
  readonly method: (typeof WRITING_METHODS)[number] | EmbedMethod;
}

/** The last piece of a path, `gemini-2.5-pro:streamGenerateContent`; undefined for any other. */
export function readGeminiPath(piece: string): GeminiPath | undefined {
  const colon = piece.lastIndexOf(":");
  const method = [...WRITING_METHODS, ...EMBED_METHODS].find(
    (known) => known === piece.slice(colon + 1),
  );
  if (colon < 1 || !method) return undefined;
  try {
    return { model: decodeURIComponent(piece.slice(0, colon)), method };
  } catch {
    // What is not a valid address names no model.
    return undefined;
  }
}

/** However its address was put together: with the colon encoded, or with a slash too many. */
const STREAMED = /(?::|%3A)streamGenerateContent\/*$/i;

/** Whether a stream is asked for in the vendor's other form, one array that is long in coming. */
export function isArrayStream({ pathname, searchParams }: URL): boolean {
  return STREAMED.test(pathname) && searchParams.get("alt") !== "sse";
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
