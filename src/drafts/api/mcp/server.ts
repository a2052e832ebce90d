import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from "@modelcontextprotocol/sdk/types.js";
import { asFault, type Fault } from "../../../lib/faults.ts";
import type { DraftTool } from "./tools.ts";

const INSTRUCTIONS =
  "Drafts for WeChat public accounts. Preview before adding. After an error with a draft_id, go on " +
  "with draft_update and that id: adding again would make a second draft.";

interface ServerParts {
  readonly tools: readonly DraftTool[];
  readonly version: string;
  /** Sees to it that work which was begun is finished, whether or not somebody still waits. */
  track(work: Promise<unknown>): void;
  onBug(thrown: unknown): void;
}

function result(value: Readonly<Record<string, unknown>>, isError: boolean): CallToolResult {
  return {
    content: [{ type: "text", text: JSON.stringify(value) }],
    structuredContent: value,
    isError,
  };
}

/** A result has no headers, so what helps against a refusal for money stands in the error. */
function errorOf(fault: Fault) {
  const fix = fault.headers["x-faregate-fix"];
  return fix === undefined ? fault.toJson() : { ...fault.toJson(), fix };
}

/** The result of a tool: an error is one too, with everything that is known about it. */
async function call(
  tool: DraftTool,
  args: Readonly<Record<string, unknown>>,
  onBug: (thrown: unknown) => void,
): Promise<CallToolResult> {
  try {
    const value = await tool.run(args);
    return result({ ok: true, ...value }, false);
  } catch (thrown) {
    const fault = asFault(thrown);
    if (fault.status === 500) onBug(thrown);
    return result({ ok: false, error: errorOf(fault) }, true);
  }
}

/** The tools of drafts as a server of the Model Context Protocol. */
export function draftMcpServer({ tools, version, track, onBug }: ServerParts): Server {
  const server = new Server(
    { name: "faregate", title: "Faregate drafts", version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map(({ run: _run, ...tool }) => tool),
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${params.name}.`);
    const work = call(tool, params.arguments ?? {}, onBug);
    track(work);
    return work;
  });
  return server;
}
