import type { WritingRequest } from "./writing-request.ts";

/** What the model is held to; the platform allows a digest of a few characters more. */
export const TITLE_CHARS_MAX = 32;
export const DIGEST_CHARS_MAX = 120;

const LENGTHS = { short: 400, medium: 900, long: 2_000 } as const;

const text = (description: string) => ({ type: "string", description }) as const;

type Properties = Readonly<Record<string, ReturnType<typeof text>>>;

/**
 * Lengths are said in words: vendors refuse strict schemas that bound a string, and count otherwise
 * than the platform does. They are checked when the answer is there.
 */
function strictFormat(name: string, properties: Properties) {
  const schema = {
    type: "object",
    additionalProperties: false,
    required: Object.keys(properties),
    properties,
  };
  return { format: { type: "json_schema", name, strict: true, schema } };
}

function rules(request: WritingRequest): string {
  const { language, length = "medium", tone, title, digest } = request;
  const words = typeof length === "number" ? length : LENGTHS[length];
  const lines = [
    "You write articles for a WeChat public account. The user's message is the brief.",
    `Write in ${language ?? "the language of the brief"}, about ${words} words (or characters, in Chinese).`,
    ...(tone === undefined ? [] : [`Tone: ${tone}.`]),
    "The article is markdown: paragraphs, ## and ### headings, lists, quotes, tables, code where it helps.",
    "Do not repeat the title as a heading. Use no raw HTML, no pictures, and no facts you cannot know.",
    `The title has at most ${TITLE_CHARS_MAX} characters, the digest at most ${DIGEST_CHARS_MAX}.`,
    "cover_idea says in one sentence what a good cover picture would show.",
    ...(title === undefined ? [] : [`The title is given; answer with it: ${title}`]),
    ...(digest === undefined ? [] : [`The digest is given; answer with it: ${digest}`]),
  ];
  return lines.join("\n");
}

/** A request of the Responses wire that asks for the whole article. */
export function articleRequest(request: WritingRequest) {
  return {
    model: request.model,
    store: false,
    instructions: rules(request),
    input: [{ role: "user", content: request.brief }],
    text: strictFormat("article", {
      title: text(`The title, at most ${TITLE_CHARS_MAX} characters.`),
      digest: text(
        `What the article says, in a sentence of at most ${DIGEST_CHARS_MAX} characters.`,
      ),
      markdown: text("The article, as markdown."),
      cover_idea: text("What the cover could show."),
    }),
  };
}

export interface LongText {
  /** What it is, such as `title`. */
  readonly field: string;
  readonly text: string;
  readonly limit: number;
  readonly found: number;
}

/** A request that asks for shorter words, with both numbers. */
export function shortenRequest(model: string, long: readonly LongText[]) {
  const details = long.map(
    ({ field, text, limit, found }) =>
      `The ${field} has ${found} characters; at most ${limit} are allowed. Write a shorter one:\n${text}`,
  );
  const properties = long.map(
    ({ field, limit }) =>
      [field, text(`The shorter ${field}, at most ${limit} characters.`)] as const,
  );
  return {
    model,
    store: false,
    instructions:
      "Shorten each text below, in its own language, without losing what it says. " +
      "Every character counts as one, spaces and punctuation included.",
    input: [{ role: "user", content: details.join("\n\n") }],
    text: strictFormat("shorter", Object.fromEntries(properties)),
  };
}
