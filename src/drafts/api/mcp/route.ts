import { readBounded } from "../../../lib/bounded-body.ts";
import { Fault } from "../../../lib/faults.ts";
import { FORM_BOUNDS, readBoundedJson } from "../../../lib/json/json-bounds.ts";
import type { Incoming, Route } from "../../../lib/route.ts";
import { decodeUtf8 } from "../../../lib/utf8.ts";
import type { Log } from "../../../telemetry/log.ts";
import { CALL_TOOLS } from "../../contract/key-drafts.ts";
import { clientOf } from "../key-client.ts";
import type { DoorServices } from "../services.ts";
import { localOperations } from "./operations.ts";
import { draftTools } from "./tools.ts";

/** Messages of one body, where a client sends several at once. */
const MESSAGES_MAX = 20;

function isToolCall(message: unknown): boolean {
  return (
    typeof message === "object" &&
    message !== null &&
    (message as { readonly method?: unknown }).method === "tools/call"
  );
}

/** How many tools a body calls. */
function toolCalls(body: unknown): number {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  if (messages.length <= MESSAGES_MAX) return messages.filter(isToolCall).length;
  throw new Fault("invalid_value", `Send at most ${MESSAGES_MAX} messages at once.`);
}

/**
 * MCP over HTTP, without sessions: each call brings its key and stands for itself, so that any
 * instance can answer it. Nothing is pushed to clients, so there is nothing to GET.
 */
export function mcpRoute(services: DoorServices & { readonly log: Log }): Route {
  const { clock, tasks, version, limits, log } = services;

  async function handle(incoming: Incoming): Promise<Response> {
    const client = await clientOf(services, incoming);
    const bytes = await readBounded(incoming.request, limits.draft_body_bytes_max);
    const parsedBody = readBoundedJson(decodeUtf8(bytes), FORM_BOUNDS);
    services.calls.countKey(client, toolCalls(parsedBody));
    incoming.keepOpen();
    // Loaded with the first agent that calls, since most installations never see one.
    const { draftMcpServer } = await import("./server.ts");
    const { WebStandardStreamableHTTPServerTransport } = await import(
      "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js"
    );
    const operations = localOperations(services, client);
    const server = draftMcpServer({
      tools: draftTools({ operations, clock }),
      version,
      track: (work) => tasks.run(work),
      onBug: (thrown) => log.error("mcp_tool_broke", { requestId: incoming.requestId, thrown }),
    });
    const transport = new WebStandardStreamableHTTPServerTransport({});
    await server.connect(transport);
    return transport.handleRequest(incoming.request, { parsedBody });
  }

  // The protocol's own library reads what is sent and writes the answer.
  const { method, path } = CALL_TOOLS;
  return { method, path, operation: CALL_TOOLS, pages: "listed", handle };
}
