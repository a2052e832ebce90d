import type { Limits } from "../../config.ts";
import type { Wire } from "../wire.ts";
import { readChatRequest, wantsUsage, writeChatRequest } from "./request.ts";
import { readChatResult } from "./result.ts";
import { ChatStream } from "./stream.ts";

/** Chat completions, the same on both sides. */
export function chatWire(limits: Limits): Wire {
  return {
    endpoint: "chat",
    path: "/chat/completions",
    readRequest: (body, text) => readChatRequest(body, text, limits),
    inputOf: ({ body }) => ({
      conversation: body.messages,
      tools: [body.tools, body.functions, body.response_format],
    }),
    writeRequest: writeChatRequest,
    readResult: readChatResult,
    openStream: (request, options) => new ChatStream(options, wantsUsage(request), request.choices),
  };
}
