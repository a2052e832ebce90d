import { Fault } from "../../../lib/faults.ts";
import type { Incoming, Route } from "../../../lib/route.ts";
import type { Log } from "../../../telemetry/log.ts";
import { CALL_TOOLS } from "../../contract/key-drafts.ts";
import { clientOf, judgeAgain } from "../key-client.ts";
import { readInSteps } from "../read-form.ts";
import type { DoorServices } from "../services.ts";
import { localOperations } from "./operations.ts";
import { draftTools } from "./tools.ts";

/** Messages of one body, where a client sends several at once. */
const MESSAGES_MAX = 20;
/**
 * What a client says to greet, or to ask which tools there are, is a few hundred bytes and does not count. So a body
 * up to here is read first, and anything that may be more is a call before a byte of it is read.
 */
const SMALL_BODY_BYTES = 64 * 1024;

/** Whether a body is surely small; one that is packed, or that does not say its length, may be anything. */
function isSmall({ headers }: Request): boolean {
  if (headers.has("content-encoding")) return false;
  const bytes = Number(headers.get("content-length") ?? Number.POSITIVE_INFINITY);
  return bytes <= SMALL_BODY_BYTES;
}

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
    const countedBefore = isSmall(incoming.request) ? 0 : 1;
    services.calls.countKey(client, countedBefore);
    const parsedBody = await readInSteps(incoming, limits);
    await judgeAgain(services, incoming, client);
    services.calls.countKey(client, toolCalls(parsedBody) - countedBefore);
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
      track(work) {
        tasks.run(work);
        incoming.memory?.keepFor(work);
      },
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
