import * as z from "../../../lib/schemas.ts";

/**
 * A member as `faregate.yaml` has it, or null for what it is without: the rules of the file check it, and here
 * it is only described.
 */
export function ofFile(type: "string" | "integer" | "boolean" | "array" | "object", words: string) {
  return z
    .unknown()
    .optional()
    .meta({ type: [type, "null"], description: words });
}

export const PREVIEW = {
  preview: z
    .string()
    .transform((text) => text === "true")
    .default(false)
    .describe("`true`: the answer says what would change, and nothing is saved."),
};
