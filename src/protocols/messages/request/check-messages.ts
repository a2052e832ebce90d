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

/** What each kind of source is nothing without. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  base64: ["data", "media_type"],
  text: ["data"],
  url: ["url"],
  content: [],
};
const SOURCE_KINDS = Object.keys(SOURCES);

function checkSource(block: JsonObject, path: string): void {
  const source = requiredObject(block, "source", path);
  const place = `${path}.source`;
  if (source.type === "file" || (source.file_id !== undefined && source.file_id !== null)) {
    throw unsupported(
      `${place}.file_id`,
      "Files of a vendor's account cannot be used here; send the data or an address instead.",
    );
  }
  const kind = requiredString(source, "type", place);
  checkWord(kind, SOURCE_KINDS, `${place}.type`);
  for (const name of SOURCES[kind] ?? []) requiredString(source, name, place);
  if (kind === "content") checkBlocks(source.content, `${place}.content`);
}

// A map, since the names come from the client and an object has more of them than its own.
const CHECKS = new Map<unknown, Check>(
  Object.entries({
    text: (block, path) => {
      requiredString(block, "text", path);
    },
    image: checkSource,
    document: checkSource,
    tool_use: (block, path) => {
      requiredString(block, "id", path);
      requiredString(block, "name", path);
      if (!isObject(block.input)) throw wrongType(`${path}.input`, "an object", block.input);
    },
    tool_result: (block, path) => {
      requiredString(block, "tool_use_id", path);
      optionalBoolean(block, "is_error", path);
      const { content } = block;
      if (content !== undefined && content !== null) checkBlocks(content, `${path}.content`);
    },
    thinking: (block, path) => {
      requiredString(block, "thinking", path);
    },
    container_upload: (_block, path) => {
      throw unsupported(path, "Containers of a vendor's account cannot be used here.");
    },
  } satisfies Record<string, Check>),
);

function checkBlocks(content: unknown, path: string): void {
  checkContent(content, path);
  if (!Array.isArray(content)) return;
  for (let i = 0; i < content.length; i++) {
    const block: JsonObject = content[i];
    CHECKS.get(block.type)?.(block, `${path}[${i}]`);
  }
}

function checkMessage(message: JsonObject, path: string): void {
  const role = requiredString(message, "role", path);
  if (!ROLES.includes(role)) checkWord(role, ROLES, `${path}.role`);
  const { content } = message;
  if (content === undefined || content === null) throw missing(`${path}.content`);
  if (typeof content !== "string") checkBlocks(content, `${path}.content`);
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
