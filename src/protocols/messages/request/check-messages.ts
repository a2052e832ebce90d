import {
  checkContent,
  checkWord,
  eachObject,
  isObject,
  type JsonObject,
  missing,
  optionalBoolean,
  requiredList,
  requiredObject,
  requiredString,
  unsupported,
  wrongType,
} from "../../fields.ts";

const ROLES = ["user", "assistant", "system"];

type Check = (block: JsonObject, path: string) => void;

function requiredText(block: JsonObject, name: string, path: string): void {
  requiredString(block, name, `${path}.${name}`);
}

/** What each kind of source is nothing without. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  base64: ["data", "media_type"],
  text: ["data"],
  url: ["url"],
  content: [],
};

function checkSource(block: JsonObject, path: string): void {
  const place = `${path}.source`;
  const source = requiredObject(block, "source", place);
  if (source.type === "file" || (source.file_id !== undefined && source.file_id !== null)) {
    throw unsupported(
      `${place}.file_id`,
      "Files of a vendor's account cannot be used here; send the data or an address instead.",
    );
  }
  const kind = requiredString(source, "type", `${place}.type`);
  checkWord(kind, Object.keys(SOURCES), `${place}.type`);
  for (const name of SOURCES[kind] ?? []) requiredText(source, name, place);
  if (kind === "content") checkBlocks(source.content, `${place}.content`);
}

// A map, since the names come from the client and an object has more of them than its own.
const CHECKS = new Map<unknown, Check>(
  Object.entries({
    text: (block, path) => requiredText(block, "text", path),
    image: checkSource,
    document: checkSource,
    tool_use: (block, path) => {
      requiredText(block, "id", path);
      requiredText(block, "name", path);
      if (!isObject(block.input)) throw wrongType(`${path}.input`, "an object", block.input);
    },
    tool_result: (block, path) => {
      requiredText(block, "tool_use_id", path);
      optionalBoolean(block, "is_error", `${path}.is_error`);
      const { content } = block;
      if (content !== undefined && content !== null) checkBlocks(content, `${path}.content`);
    },
    thinking: (block, path) => requiredText(block, "thinking", path),
    container_upload: (_block, path) => {
      throw unsupported(path, "Containers of a vendor's account cannot be used here.");
    },
  } satisfies Record<string, Check>),
);

function checkBlocks(content: unknown, path: string): void {
  checkContent(content, path);
  if (!Array.isArray(content)) return;
  content.forEach((block, i) => {
    CHECKS.get(block.type)?.(block, `${path}[${i}]`);
  });
}

function checkMessage(message: JsonObject, path: string): void {
  checkWord(requiredString(message, "role", `${path}.role`), ROLES, `${path}.role`);
  const { content } = message;
  if (content === undefined || content === null) throw missing(`${path}.content`);
  checkBlocks(content, `${path}.content`);
}

/** The conversation of a request: its messages and what the system says before them. */
export function checkMessages(body: JsonObject): void {
  eachObject(requiredList(body, "messages"), "messages", checkMessage);
  const { system } = body;
  if (system === undefined || system === null) return;
  checkBlocks(system, "system");
  if (!Array.isArray(system)) return;
  system.forEach((block, i) => {
    checkWord(block.type, ["text"], `system[${i}].type`);
  });
}
