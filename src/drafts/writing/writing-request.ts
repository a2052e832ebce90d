import * as z from "../../lib/schemas.ts";

const BRIEF_CHARS_MAX = 100_000;
const WORDS_MAX = 10_000;
const LINE_CHARS_MAX = 200;

/** A request for an article that a model writes. */
export interface WritingRequest {
  readonly model: string;
  readonly brief: string;
  /** The language of the brief where absent. */
  readonly language?: string | undefined;
  readonly length?: "short" | "medium" | "long" | number | undefined;
  readonly tone?: string | undefined;
  /** Given ones are kept as they are; the model writes to them. */
  readonly title?: string | undefined;
  readonly digest?: string | undefined;
}

/** The members of a request that say what to write, for the forms that have them. */
export const writingMembers = {
  brief: z
    .string("The brief is a text.")
    .trim()
    .min(1, "Write what the article is about.")
    .max(BRIEF_CHARS_MAX, `At most ${BRIEF_CHARS_MAX} characters.`)
    .describe("What a model of the gateway shall write about; needs 'model' and is charged."),
  model: z
    .string("Name a model.")
    .min(1, "Name a model.")
    .max(LINE_CHARS_MAX)
    .describe("The model that writes, such as those of GET /v1/models."),
  language: z.string().min(1).max(LINE_CHARS_MAX).describe("That of the brief where absent."),
  length: z
    .union(
      [z.enum(["short", "medium", "long"]), z.int().min(50).max(WORDS_MAX)],
      `The length is short, medium, long, or a number of words from 50 to ${WORDS_MAX}.`,
    )
    .describe("short, medium, long, or a number of words."),
  tone: z.string().min(1).max(LINE_CHARS_MAX).describe("How it should sound."),
};
