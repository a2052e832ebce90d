import { Shape } from "../members/shape.ts";

/** What may go to a vendor that bills for it: what the wire describes and tokens pay for. */
export const EMBEDDINGS_PASSED: ReadonlySet<string> = new Set([
  ...["model", "input", "dimensions", "encoding_format", "user"],
]);

export const EMBEDDINGS_MEMBERS = new Shape([...EMBEDDINGS_PASSED, "models"]);
