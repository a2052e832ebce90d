import { codes } from "./codes.ts";
import { draftProblems } from "./draft-problems.ts";
import { drafts } from "./drafts.ts";
import { ledger } from "./ledger.ts";
import { material } from "./material.ts";

/** Areas that only their own pages need, and few visitors see; they come with those pages. */
export const later = { drafts, draftProblems, codes, ledger, material } as const;
