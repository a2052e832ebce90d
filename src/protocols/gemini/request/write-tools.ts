import type { Conversation, CustomTool, SearchTool, ToolChoice } from "../../canon.ts";
import { type JsonObject, unsupported } from "../../fields.ts";
import {
  chosenTool,
  FREE_TEXT_PARAMETERS,
  flatName,
  isNamedTool,
  type NamedTool,
  namedIn,
} from "../../translation/tool-names.ts";
import type { UpstreamOptions } from "../../wire.ts";

interface WrittenTools {
  readonly tools?: readonly JsonObject[];
  readonly toolConfig?: JsonObject;
}

/** The vendor knows no grammars, but its models can read one. */
function describe(tool: CustomTool): string {
  const { definition, syntax } = tool.format ?? {};
  const grammar =
    typeof definition === "string"
      ? `The input must follow this grammar (${syntax ?? "text"}):\n${definition}`
      : undefined;
  return [tool.description, grammar].filter((text) => text !== undefined).join("\n\n");
}

function declaration(tool: NamedTool): JsonObject {
  const description = tool.type === "custom" ? describe(tool) : (tool.description ?? "");
  const parameters = tool.type === "custom" ? FREE_TEXT_PARAMETERS : tool.parameters;
  return {
    name: flatName(tool),
    ...(description === "" ? {} : { description }),
    ...(parameters ? { parametersJsonSchema: parameters } : {}),
  };
}

/** Only some tools may be called: the others are not declared. */
function allowedOf(tools: readonly NamedTool[], choice: ToolChoice | undefined): NamedTool[] {
  if (choice?.mode !== "allowed") return [...tools];
  return tools.filter(namedIn(choice.names));
}

const MODES = { auto: "AUTO", none: "NONE", required: "ANY" } as const;

function callingConfig(
  choice: ToolChoice | undefined,
  tools: readonly NamedTool[],
  mixed: boolean,
  dropped: string[],
): JsonObject | undefined {
  // Beside the vendor's own tools it does not take the mode that it has by itself.
  const auto = mixed ? { mode: "VALIDATED" } : undefined;
  if (tools.length === 0 || !choice) return auto;
  if (choice.mode === "tool") {
    const tool = chosenTool(tools, choice);
    if (tool) return { mode: "ANY", allowedFunctionNames: [flatName(tool)] };
    dropped.push("tool_choice");
    return auto;
  }
  if (choice.mode === "allowed") return choice.required ? { mode: "ANY" } : auto;
  return choice.mode === "auto" ? auto : { mode: MODES[choice.mode] };
}

/** Settings of a search that change where it looks and that the vendor does not have. */
const SEARCH_SETTINGS = ["filters", "user_location", "allowed_domains", "blocked_domains"];

/** Whether the vendor may search; what stands against it is named. */
function maySearch(
  search: SearchTool | undefined,
  mixes: boolean,
  options: UpstreamOptions,
  dropped: string[],
): boolean {
  if (!search) return false;
  if (!options.webSearch || !mixes) {
    dropped.push("web_search");
    return false;
  }
  const { settings, maxCalls } = search;
  const names = SEARCH_SETTINGS.filter((name) => settings[name] != null);
  dropped.push(...names.map((name) => `web_search.${name}`));
  if (maxCalls !== undefined) dropped.push("web_search.max_calls");
  return true;
}

/** A call that must be made and a form that must be kept exclude each other here. */
function refuseForcedFormat({ format }: Conversation, calling: JsonObject | undefined): void {
  if (!format || calling?.mode !== "ANY") return;
  throw unsupported(
    "tool_choice",
    "This model takes no format of the answer ('text.format', 'response_format') together with " +
      "a tool choice that forces a call ('tool_choice'); leave out one of them.",
  );
}

/** The tools of a conversation for the vendor. What it cannot take is added to `dropped`. */
export function writeTools(
  conversation: Conversation,
  options: UpstreamOptions,
  dropped: string[],
): WrittenTools {
  const { tools, toolChoice } = conversation;
  const declared = tools.filter(isNamedTool);
  const allowed = allowedOf(declared, toolChoice);
  dropped.push(...tools.flatMap((tool) => (tool.type === "foreign" ? [tool.path] : [])));
  const mixes = allowed.length === 0 || options.rules.includes("thinking_level");
  const wanted = tools.find((tool) => tool.type === "web_search");
  const search = maySearch(wanted, mixes, options, dropped);
  const mixed = search && allowed.length > 0;
  const calling = callingConfig(toolChoice, allowed, mixed, dropped);
  refuseForcedFormat(conversation, calling);
  const written = [
    ...(allowed.length > 0 ? [{ functionDeclarations: allowed.map(declaration) }] : []),
    ...(search ? [{ googleSearch: {} }] : []),
  ];
  const toolConfig = {
    ...(calling ? { functionCallingConfig: calling } : {}),
    ...(mixed ? { includeServerSideToolInvocations: true } : {}),
  };
  return {
    ...(written.length > 0 ? { tools: written } : {}),
    ...(Object.keys(toolConfig).length > 0 ? { toolConfig } : {}),
  };
}
