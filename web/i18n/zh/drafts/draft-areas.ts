import type { DraftAreas } from "../../catalogue.ts";
import { draftProblems } from "./draft-problems.ts";
import { drafts } from "./drafts.ts";

export const draftAreas: DraftAreas = { drafts, draftProblems };
