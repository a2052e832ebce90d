import { z } from "zod";

/** A member as `faregate.yaml` has it: the rules of the file check it, and here it is only described. */
export function ofFile(type: "string" | "integer" | "boolean" | "array" | "object", words: string) {
  return z.unknown().optional().meta({ type, description: words });
}

/** What would change is told, and nothing is kept. */
export const PREVIEW = {
  preview: z
    .string()
    .transform((text) => text === "true")
    .default(false)
    .describe("`true`: what would change is told, and nothing is kept."),
};
