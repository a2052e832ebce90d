import type { LaterAreas } from "../catalogue.ts";
import { codes } from "./codes.ts";
import { draftProblems } from "./draft-problems.ts";
import { drafts } from "./drafts.ts";
import { ledger } from "./ledger.ts";
import { material } from "./material.ts";

export const later: LaterAreas = { drafts, draftProblems, codes, ledger, material };
