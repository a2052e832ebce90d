import type { LaterAreas } from "../catalogue.ts";
import { draftProblems } from "./draft-problems.ts";
import { drafts } from "./drafts.ts";

export const later: LaterAreas = { drafts, draftProblems };
