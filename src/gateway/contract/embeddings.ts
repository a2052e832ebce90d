import { post, told } from "../../lib/contract.ts";
import * as z from "../../lib/schemas.ts";
import { COST, count, FALLBACKS, IDEMPOTENT } from "./by-key.ts";

const input = z.union([z.string(), z.array(z.union([z.string(), z.int(), z.array(z.int())]))]);

export const CREATE_EMBEDDINGS = post("/v1/embeddings", "Makes vectors of texts.", {
  headers: IDEMPOTENT,
  body: z.looseObject({
    model: told(z.string(), "A model for embeddings.", "sandbox-embedding-1.0"),
    input: told(input, "A text, several of them, or tokens.", "A text."),
    ...FALLBACKS,
    dimensions: told(z.int().min(1), "The length of the vectors.").optional(),
    encoding_format: told(z.enum(["float", "base64"]), "How they are written.").optional(),
  }),
  example: { model: "sandbox-embedding-1.0", input: "A text." },
  answer: z.looseObject({
    object: z.literal("list"),
    data: told(z.array(z.looseObject({ index: z.int() })), "A vector for each text.", [
      { object: "embedding", index: 0, embedding: [0.013, -0.021] },
    ]),
    model: told(z.string(), "The model that answered.", "sandbox-embedding-1.0"),
    usage: z.looseObject({ prompt_tokens: count("What was charged.", 3), ...COST }),
  }),
});
