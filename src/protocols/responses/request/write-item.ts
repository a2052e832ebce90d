import type { CallItem, Item, MessageItem, Part, ReasoningItem, ResultItem } from "../../canon.ts";
import { droppedReasoning } from "../../dropped-reasoning.ts";
import { unseal } from "../../envelope.ts";
import type { JsonObject } from "../../fields.ts";
import { present, text } from "../../optional.ts";
import { groupedName } from "../../translation/tool-names.ts";

/** What a writer of items keeps in mind across them. */
interface Writing {
  /** Calls of tools that take free text, whose results have a type of their own. */
  readonly customCalls: ReadonlySet<string>;
  readonly dropped: Set<string>;
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  "application/pdf": "pdf",
  "text/plain": "txt",
  "text/markdown": "md",
  "text/csv": "csv",
  "text/html": "html",
  "application/json": "json",
};

/** Vendors tell the kind of a file by its name and refuse one without. */
function fileName(url: string): string {
  const type = /^data:(?<type>[^;,]*)/.exec(url)?.groups?.type ?? "";
  return `file.${EXTENSIONS[type] ?? "pdf"}`;
}

function writeInputPart(part: Part): JsonObject {
  switch (part.type) {
    case "text":
    case "refusal":
      return { type: "input_text", text: part.text };
    case "image":
      return { type: "input_image", image_url: part.url, detail: part.detail ?? "auto" };
    case "file":
      if (!part.url.startsWith("data:")) return { type: "input_file", file_url: part.url };
      return {
        type: "input_file",
        filename: part.name ?? fileName(part.url),
        file_data: part.url,
      };
  }
}

/** What a model wrote is text or a refusal; nothing else can be its own. */
function writeOutputPart(part: Part, { dropped }: Writing): JsonObject[] {
  if (part.type === "text") {
    return [{ type: "output_text", text: part.text, annotations: part.annotations ?? [] }];
  }
  if (part.type === "refusal") return [{ type: "refusal", refusal: part.text }];
  dropped.add(`${part.type} of the assistant`);
  return [];
}

/** A plain text as such, which every vendor of this wire takes; undefined where there is more. */
function soleText(parts: readonly Part[]): string | undefined {
  const [part] = parts;
  if (parts.length > 1 || (part && part.type !== "text")) return undefined;
  return part?.annotations ? undefined : (part?.text ?? "");
}

function writeMessage(item: MessageItem, writing: Writing): JsonObject[] {
  const { role } = item;
  if (item.parts.length === 0) return [];
  const content =
    soleText(item.parts) ??
    item.parts.flatMap((part) =>
      role === "assistant" ? writeOutputPart(part, writing) : writeInputPart(part),
    );
  if (content.length === 0) return [];
  return [{ type: "message", role, content, ...present({ phase: item.phase }) }];
}

function writeCall(item: CallItem): JsonObject {
  const shared = { call_id: item.callId, name: groupedName(item) };
  const namespace = present({ namespace: item.namespace });
  return item.custom
    ? { type: "custom_tool_call", ...shared, input: item.arguments, ...namespace }
    : { type: "function_call", ...shared, arguments: item.arguments || "{}", ...namespace };
}

function writeResult(item: ResultItem, { customCalls }: Writing): JsonObject {
  const custom = item.custom || customCalls.has(item.callId);
  return {
    type: custom ? "custom_tool_call_output" : "function_call_output",
    call_id: item.callId,
    output: soleText(item.parts) ?? item.parts.map(writeInputPart),
  };
}

function writeReasoning(item: ReasoningItem, { dropped }: Writing): JsonObject[] {
  const state = unseal("responses", item.sealed);
  const encrypted = text(state?.encrypted_content);
  if (encrypted === undefined) {
    for (const name of droppedReasoning([item])) dropped.add(name);
    return [];
  }
  const summary = item.summary.map((part) => ({ type: "summary_text", text: part }));
  const id = present({ id: text(state?.id) });
  return [{ type: "reasoning", ...id, summary, encrypted_content: encrypted }];
}

function writeItem(item: Item, writing: Writing): JsonObject[] {
  switch (item.type) {
    case "message":
      return writeMessage(item, writing);
    case "call":
      return [writeCall(item)];
    case "result":
      return [writeResult(item, writing)];
    case "reasoning":
      return writeReasoning(item, writing);
    case "search":
      // A search of another vendor cannot be told as one of this vendor's own.
      writing.dropped.add("web_search_call");
      return [];
    case "foreign":
      return [item.raw];
  }
}

/** The items of a conversation as a vendor of this wire takes them. */
export function writeItems(items: readonly Item[], dropped: Set<string>): JsonObject[] {
  const customCalls = new Set(
    items.flatMap((item) => (item.type === "call" && item.custom ? item.callId : [])),
  );
  return items.flatMap((item) => writeItem(item, { customCalls, dropped }));
}
