import { draftProblems } from "./draft-problems.ts";
import { drafts } from "./drafts.ts";

/** Areas with many words that only their own pages need; they come with those pages. */
export const later = { drafts, draftProblems } as const;
