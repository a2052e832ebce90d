import { draftProblems } from "./draft-problems.ts";
import { drafts } from "./drafts.ts";

/** What only the pages of drafts say, which few visitors see; it comes with those pages. */
export const draftAreas = { drafts, draftProblems } as const;
