import { material } from "./material.ts";

/** What only the page of the built-in platform says, which is a document of its own. */
export const materialAreas = { material } as const;
