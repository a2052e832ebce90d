import { Fault } from "../../lib/faults.ts";
import * as z from "../../lib/schemas.ts";
import type { WritingCall } from "../draft.ts";
import { showWriting } from "./show-writing.ts";

/**
 * Puts a request to the gateway's own Responses route; it throws the faults of that route. With a key, which is
 * the `Idempotency-Key` of that request, what was answered before is given again and not paid again.
 */
export type AskModel = (body: object, key?: string) => Promise<Response>;

const SHOWN_CHARS = 500;

/** What is read of an answer of the Responses wire. */
const answerSchema = z.object({
  model: z.string().catch(""),
  status: z.string().catch("completed"),
  incomplete_details: z.object({ reason: z.string() }).nullish().catch(null),
  output: z
    .array(
      z.object({
        content: z
          .array(
            z.object({
              type: z.string(),
              text: z.string().optional(),
              refusal: z.string().optional(),
            }),
          )
          .catch([]),
      }),
    )
    .catch([]),
  usage: z.object({ cost_exact: z.string().optional() }).nullish().catch(null),
});

type ParsedAnswer = z.infer<typeof answerSchema>;

/** A call that has been paid for, and the text that it brought. */
export interface ModelText {
  readonly call: WritingCall;
  readonly text: string;
  /** Why there is no text, or not all of it. */
  readonly trouble: string | undefined;
}

function partsOf({ output }: ParsedAnswer, type: string, member: "text" | "refusal"): string {
  return output
    .flatMap(({ content }) => content)
    .filter((part) => part.type === type)
    .map((part) => part[member] ?? "")
    .join("");
}

function troubleOf(answer: ParsedAnswer): string | undefined {
  const refusal = partsOf(answer, "refusal", "refusal");
  if (refusal !== "") return `The model refused: ${refusal.slice(0, SHOWN_CHARS)}`;
  if (answer.status === "completed") return undefined;
  const reason = answer.incomplete_details?.reason ?? answer.status;
  return `The model did not finish: ${reason}.`;
}

/** The answer of the gateway's own route. Its receipt has the id of the request, or of the one that was paid for it. */
export async function readModelText(
  response: Response,
  purpose: WritingCall["purpose"],
): Promise<ModelText> {
  const { headers } = response;
  const requestId = headers.get("x-faregate-receipt") ?? headers.get("x-request-id") ?? "";
  const answer = answerSchema.parse(await response.json());
  const call = { requestId, model: answer.model, cost: answer.usage?.cost_exact ?? "", purpose };
  return { call, text: partsOf(answer, "output_text", "text"), trouble: troubleOf(answer) };
}

const FENCE = "```";
const FENCE_LINE = /^```(?:json)?[ \t]*\r?\n/;

/** What stands within a fence that is all of a text. A pattern for the whole of it would try every blank line as its end. */
function withinFence(text: string): string | undefined {
  const bare = text.trim();
  const [opening] = FENCE_LINE.exec(bare) ?? [];
  if (opening === undefined || !bare.endsWith(FENCE)) return undefined;
  return bare.slice(opening.length, -FENCE.length);
}

/** JSON, also where a model that knows no schemas has put a fence around it. */
export function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(withinFence(text) ?? text);
  } catch {
    return undefined;
  }
}

/** The model has answered, and is paid, but there is no article in what it said. */
export function writingFault(message: string, { call, text }: ModelText): Fault {
  return new Fault("writing_failed", message, {
    facts: { writing: showWriting([call]), output: text.slice(0, SHOWN_CHARS) },
  });
}
