// What a vendor of the Gemini wire sends, written by hand from the documented shapes. Nothing here was
// recorded and nothing is made by the code under test.
import type { JsonObject } from "../support/samples/wires.ts";
import {
  COUNTS,
  callId,
  halves,
  type Play,
  type PlayedCall,
  QUERY,
  SOURCE,
  STATES,
  VENDOR_COMPLAINT,
} from "./scenes.ts";
import type { VendorScript } from "./vendor-script.ts";

/** This wire counts what was cached inside the prompt, thoughts beside the answer, writes nowhere. */
const USAGE = {
  promptTokenCount: COUNTS.input,
  cachedContentTokenCount: COUNTS.cached,
  candidatesTokenCount: COUNTS.output - COUNTS.reasoning,
  thoughtsTokenCount: COUNTS.reasoning,
  totalTokenCount: COUNTS.input + COUNTS.output,
  promptTokensDetails: [{ modality: "TEXT", tokenCount: COUNTS.input }],
};
const EARLY_USAGE = { promptTokenCount: COUNTS.input, totalTokenCount: COUNTS.input };

const FINISHES = { done: "STOP", stop: "STOP", limit: "MAX_TOKENS", safety: "SAFETY" };

function frameOf(parts: readonly JsonObject[], usageMetadata: JsonObject, more: JsonObject = {}) {
  const content = parts.length > 0 ? { content: { parts, role: "model" } } : {};
  return {
    candidates: [{ ...content, index: 0, ...more }],
    usageMetadata,
    modelVersion: "vendor-gemini-2026-11-01",
    responseId: "mAitaLmkHPPlz7IPvtfUqQ4",
  };
}

/** A tool of a group, or one that takes free text, is a plain function to this vendor. */
function functionCall(played: PlayedCall, withoutIds: boolean | undefined): JsonObject {
  const { name, namespace, arguments: given } = played;
  const flat = namespace === undefined ? name : `${namespace}__${name}`;
  const args = typeof given === "string" ? { input: given } : given;
  const id = withoutIds ? {} : { id: callId("gemini", played.id) };
  return { functionCall: { ...id, name: flat, args } };
}

/** The signature stands on the part behind the thought: the first call, or the text. */
function partsOf(play: Play): JsonObject[] {
  const { thought, calls = [] } = play;
  const text = play.text ?? play.refusal;
  const signed = thought === undefined ? {} : { thoughtSignature: STATES.gemini };
  return [
    ...(thought === undefined ? [] : [{ text: thought, thought: true }]),
    ...(text === undefined ? [] : [{ text, ...signed }]),
    ...calls.map((each, i) => ({
      ...functionCall(each, play.withoutIds),
      ...(i === 0 && text === undefined ? signed : {}),
    })),
  ];
}

function endOf(play: Play): JsonObject {
  const { ending, searched, text = "" } = play;
  const finishReason = FINISHES[ending];
  const ratings =
    ending === "safety"
      ? {
          safetyRatings: [
            { category: "HARM_CATEGORY_DANGEROUS_CONTENT", probability: "HIGH", blocked: true },
          ],
        }
      : {};
  if (!searched) return { finishReason, ...ratings };
  const segment = { startIndex: 0, endIndex: Buffer.byteLength(text), text };
  const groundingMetadata = {
    webSearchQueries: [QUERY],
    searchEntryPoint: { renderedContent: "<div></div>" },
    groundingChunks: [{ web: { uri: SOURCE.url, title: SOURCE.title } }],
    groundingSupports: [{ segment, groundingChunkIndices: [0] }],
  };
  return { finishReason, groundingMetadata };
}

/** Texts come in pieces, calls whole; the signature of a text comes behind it, in a part of its own. */
function streamedParts(play: Play): JsonObject[] {
  return partsOf(play).flatMap((part): JsonObject[] => {
    if (typeof part.text !== "string") return [part];
    const { text, thoughtSignature, ...thought } = part;
    const pieces = halves(String(text)).map((piece) => ({ text: piece, ...thought }));
    return thoughtSignature === undefined ? pieces : [...pieces, { text: "", thoughtSignature }];
  });
}

function data(value: JsonObject): string {
  // The vendor ends its lines in the way of the network.
  return `data: ${JSON.stringify(value)}\r\n\r\n`;
}

function chunks(play: Play): string[] {
  return streamedParts(play).map((part) => data(frameOf([part], EARLY_USAGE)));
}

const OUTAGE = { error: { code: 500, message: "It broke.", status: "INTERNAL" } };

export const handwrittenGemini: VendorScript = {
  whole: (play) => frameOf(partsOf(play), USAGE, endOf(play)),
  events(play) {
    const last = play.ending === "safety" ? [] : [{ text: "" }];
    return [...chunks(play), data(frameOf(last, USAGE, endOf(play)))];
  },
  cutEvents: (play) => [...chunks(play), data(OUTAGE)],
  rejection: { error: { code: 400, message: VENDOR_COMPLAINT, status: "INVALID_ARGUMENT" } },
  outage: OUTAGE,
};
