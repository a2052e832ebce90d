import { z } from "zod";

const count = z.int().min(0);

/** Counts as the wire has them, and the charge where the key shows it: a number, and the exact decimal. */
export const usageShape = z.looseObject({
  input_tokens: count,
  input_tokens_details: z.looseObject({ cached_tokens: count }),
  output_tokens: count,
  output_tokens_details: z.looseObject({ reasoning_tokens: count }),
  total_tokens: count,
  cost: z.number().optional(),
  cost_exact: z
    .string()
    .regex(/^\d+\.\d+$/)
    .optional(),
});

/** The response object: the fields that the wire's schema requires, and the text in one piece. */
export const snapshotShape = z.looseObject({
  id: z.string().startsWith("resp_"),
  object: z.literal("response"),
  created_at: count,
  completed_at: count.nullable(),
  status: z.enum(["in_progress", "completed", "incomplete", "failed"]),
  incomplete_details: z.object({ reason: z.string() }).nullable(),
  model: z.string(),
  previous_response_id: z.string().nullable(),
  instructions: z.string().nullable(),
  output: z.array(z.looseObject({ id: z.string(), type: z.string() })),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  tools: z.array(z.looseObject({ type: z.string() })),
  tool_choice: z.union([z.enum(["auto", "none", "required"]), z.looseObject({ type: z.string() })]),
  truncation: z.enum(["auto", "disabled"]),
  parallel_tool_calls: z.boolean(),
  text: z.looseObject({ format: z.looseObject({ type: z.string() }) }),
  top_p: z.number(),
  presence_penalty: z.number(),
  frequency_penalty: z.number(),
  top_logprobs: count,
  temperature: z.number(),
  reasoning: z.looseObject({ effort: z.string().nullable(), summary: z.string().nullable() }),
  usage: usageShape.nullable(),
  max_output_tokens: count.nullable(),
  max_tool_calls: count.nullable(),
  store: z.boolean(),
  background: z.boolean(),
  service_tier: z.string(),
  metadata: z.record(z.string(), z.string()),
  safety_identifier: z.string().nullable(),
  prompt_cache_key: z.string().nullable(),
  output_text: z.string(),
});

export type Snapshot = z.infer<typeof snapshotShape>;
