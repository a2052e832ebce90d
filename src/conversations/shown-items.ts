import { isObject, type JsonObject } from "../protocols/fields.ts";

/** A text as the part that whoever said it would have sent. */
function partOf(text: string, role: unknown): JsonObject {
  return role === "assistant"
    ? { type: "output_text", text, annotations: [], logprobs: [] }
    : { type: "input_text", text };
}

function shownPart(part: unknown, role: unknown): unknown {
  if (!isObject(part)) return part;
  if (part.type === "text" && typeof part.text === "string") return partOf(part.text, role);
  if (part.type === "output_text") return { annotations: [], logprobs: [], ...part };
  if (part.type === "input_image") return { detail: "auto", ...part };
  return part;
}

function shownContent(content: unknown, role: unknown): unknown[] {
  if (typeof content === "string") return [partOf(content, role)];
  return Array.isArray(content) ? content.map((part) => shownPart(part, role)) : [];
}

/** Kinds that say how far they are. What was sent is as far as it will ever be. */
const WITH_STATUS =
  /^(?:message|(?:function|custom_tool|web_search|local_shell|shell|apply_patch)_call(?:_output)?)$/;

/** Clients leave out of an item what goes without saying; whoever lists it finds it there. */
function shown(item: JsonObject): JsonObject {
  const type = typeof item.type === "string" ? item.type : "message";
  const whole = { ...item, type, ...(WITH_STATUS.test(type) ? { status: statusOf(item) } : {}) };
  if (type !== "message") return whole;
  return { ...whole, content: shownContent(item.content, item.role) };
}

function statusOf({ status }: JsonObject): string {
  return typeof status === "string" ? status : "completed";
}

/** The items of an input as they are listed: whole, and each under an id of its own. */
export function shownItems(items: readonly JsonObject[]): JsonObject[] {
  const times = new Map<string, number>();
  const taken = new Set<string>();
  return items.map((item) => {
    const own = String(item.id);
    let time = times.get(own) ?? 0;
    let id: string;
    // One that stands there twice would have a list begin again behind it for ever.
    do {
      time += 1;
      id = time === 1 ? own : `${own}_${time}`;
    } while (taken.has(id));
    times.set(own, time);
    taken.add(id);
    return { ...shown(item), id };
  });
}
