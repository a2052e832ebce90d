// Answers of vendors whose counts are anything: what they say of their usage is put in by hand.
import type { Script } from "./scripted-vendor.ts";
import type { VendorWire, VendorWireName } from "./vendor-bytes.ts";
import { COUNTS, events, sendStream, wholeText } from "./vendor-play.ts";

interface CountNames {
  readonly input: string;
  readonly output: string;
  /** Absent on the wire that has no word for it. */
  readonly total?: string;
}

export const COUNT_NAMES: Readonly<Record<VendorWireName, CountNames>> = {
  chat: { input: "prompt_tokens", output: "completion_tokens", total: "total_tokens" },
  responses: { input: "input_tokens", output: "output_tokens", total: "total_tokens" },
  messages: { input: "input_tokens", output: "output_tokens" },
  gemini: {
    input: "promptTokenCount",
    output: "candidatesTokenCount",
    total: "totalTokenCount",
  },
};

/** These counts in the words of a wire; what is left out is not said. */
export function inWordsOf(
  wire: VendorWireName,
  counts: { readonly input?: unknown; readonly output?: unknown; readonly total?: unknown },
): Record<string, unknown> {
  const names = COUNT_NAMES[wire];
  const said: Record<string, unknown> = {};
  if ("input" in counts) said[names.input] = counts.input;
  if ("output" in counts) said[names.output] = counts.output;
  if ("total" in counts && names.total) said[names.total] = counts.total;
  return said;
}

/** The same JSON with this in place of every usage in it that says something. */
function withUsage(json: string, usage: unknown): string {
  const replaced = JSON.parse(json, (name, value: unknown) => {
    const isUsage = name === "usage" || name === "usageMetadata";
    return isUsage && typeof value === "object" && value !== null ? usage : value;
  });
  return JSON.stringify(replaced);
}

function eventWithUsage(event: string, usage: unknown): string {
  return event.replace(/^data: (\{.*\})$/m, (_line, json: string) => {
    // A function, since JSON may hold what a replacement would take for its own.
    return `data: ${withUsage(json, usage)}`;
  });
}

/** A vendor that answers well and says this of what it has used. */
export function saying(wire: VendorWire, stream: boolean, usage: unknown): Script {
  return async (_call, reply) => {
    if (!stream) {
      reply.whole(200, withUsage(wholeText(wire, COUNTS), usage));
      return;
    }
    const said = events(wire, COUNTS).map((event) => eventWithUsage(event, usage));
    await sendStream(reply, said);
    reply.end();
  };
}
