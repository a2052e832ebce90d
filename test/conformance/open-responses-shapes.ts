// What the Open Responses documents require of objects and events, as shapes of our own. Members that
// they do not name are left alone; a type of event that they do not name is a problem.
import { z } from "zod";
import type { Json } from "./frames.ts";
import { snapshotShape, usageShape } from "./snapshot.ts";

const count = z.int().min(0);
const callId = z.string().min(1).max(64);
const itemStatus = z.enum(["in_progress", "completed", "incomplete"]);

const annotation = z.looseObject({
  type: z.literal("url_citation"),
  url: z.string(),
  title: z.string(),
  start_index: count,
  end_index: count,
});
const outputText = z.looseObject({
  type: z.literal("output_text"),
  text: z.string(),
  annotations: z.array(annotation),
  logprobs: z.array(z.unknown()),
});
const refusal = z.looseObject({ type: z.literal("refusal"), refusal: z.string() });
const summaryText = z.looseObject({ type: z.literal("summary_text"), text: z.string() });
const reasoningText = z.looseObject({ type: z.literal("reasoning_text"), text: z.string() });

const inputText = z.looseObject({ type: z.literal("input_text"), text: z.string() });
const inputImage = z.looseObject({
  type: z.literal("input_image"),
  image_url: z.string(),
  detail: z.enum(["low", "high", "auto"]),
});
const inputFile = z.looseObject({ type: z.literal("input_file") });

const assistantMessage = z.looseObject({
  id: z.string().min(1),
  type: z.literal("message"),
  role: z.literal("assistant"),
  status: itemStatus,
  content: z.array(z.union([outputText, refusal])),
  phase: z.enum(["commentary", "final_answer"]).optional(),
});
const functionCall = z.looseObject({
  id: z.string().min(1),
  type: z.literal("function_call"),
  call_id: callId,
  name: z.string().min(1).max(64),
  arguments: z.string(),
  status: itemStatus,
});
const reasoning = z.looseObject({
  id: z.string().min(1),
  type: z.literal("reasoning"),
  summary: z.array(summaryText),
  content: z.array(reasoningText).optional(),
  encrypted_content: z.string().optional(),
});
const compaction = z.looseObject({
  id: z.string().min(1),
  type: z.literal("compaction"),
  encrypted_content: z.string().min(1),
});
const keptMessage = z.looseObject({
  id: z.string().min(1),
  type: z.literal("message"),
  role: z.enum(["user", "system", "developer"]),
  status: itemStatus,
  content: z.array(z.union([inputText, inputImage, inputFile])),
});

/** What a model may answer with. */
const outputItem = z.discriminatedUnion("type", [assistantMessage, functionCall, reasoning]);

export const responseShape = snapshotShape.extend({ output: z.array(outputItem) });

export const compactionShape = z.looseObject({
  id: z.string().min(1),
  object: z.literal("response.compaction"),
  created_at: count,
  output: z.array(z.union([keptMessage, compaction, assistantMessage])),
  usage: usageShape,
});

/** A refusal on a socket. */
export const socketErrorShape = z.strictObject({
  type: z.literal("error"),
  status: z.int().min(400).max(599),
  error: z.strictObject({
    message: z.string().min(1),
    type: z.string().min(1),
    code: z.string().min(1),
    param: z.string().nullable(),
  }),
});

const snapshot = { response: responseShape };
const item = { output_index: count, item: outputItem };
const inItem = { item_id: z.string().min(1), output_index: count };
const inContent = { ...inItem, content_index: count };
const inSummary = { ...inItem, summary_index: count };
const delta = z.string();
const logprobs = z.array(z.unknown());
const contentPart = z.union([outputText, refusal, reasoningText]);

/** Every documented event with the members it must have beside its type and number. */
const MEMBERS: Readonly<Record<string, z.ZodRawShape>> = {
  "response.created": snapshot,
  "response.queued": snapshot,
  "response.in_progress": snapshot,
  "response.completed": snapshot,
  "response.incomplete": snapshot,
  "response.failed": snapshot,
  "response.output_item.added": item,
  "response.output_item.done": item,
  "response.content_part.added": { ...inContent, part: contentPart },
  "response.content_part.done": { ...inContent, part: contentPart },
  "response.output_text.delta": { ...inContent, delta, logprobs },
  "response.output_text.done": { ...inContent, text: z.string(), logprobs },
  "response.output_text.annotation.added": { ...inContent, annotation_index: count, annotation },
  "response.refusal.delta": { ...inContent, delta },
  "response.refusal.done": { ...inContent, refusal: z.string() },
  "response.function_call_arguments.delta": { ...inItem, delta },
  "response.function_call_arguments.done": { ...inItem, arguments: z.string() },
  "response.reasoning_summary_part.added": { ...inSummary, part: summaryText },
  "response.reasoning_summary_part.done": { ...inSummary, part: summaryText },
  "response.reasoning_summary_text.delta": { ...inSummary, delta },
  "response.reasoning_summary_text.done": { ...inSummary, text: z.string() },
  "response.reasoning.delta": { ...inContent, delta },
  "response.reasoning.done": { ...inContent, text: z.string() },
  error: {
    error: z.looseObject({ type: z.string(), code: z.string().nullable(), message: z.string() }),
  },
};

const EVENTS = new Map(
  Object.entries(MEMBERS).map(([type, members]) => {
    const shape = z.looseObject({ type: z.literal(type), sequence_number: count, ...members });
    return [type, shape] as const;
  }),
);

/** What is wrong with the events of a stream, each taken for itself. */
export function eventProblems(events: readonly Json[]): string[] {
  return events.flatMap((event) => {
    const shape = EVENTS.get(String(event.type));
    if (!shape) return [`${event.type} is no documented event`];
    const { error } = shape.safeParse(event);
    return error ? [`${event.type}: ${z.prettifyError(error)}`] : [];
  });
}
