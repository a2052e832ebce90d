import type { Limits } from "../../config/config.ts";
import { faultOfVendor } from "../faults.ts";
import { isObject } from "../fields.ts";
import type { Wire } from "../wire.ts";
import { CHAT_MEMBERS } from "./members.ts";
import { readChatAnswer } from "./read-answer.ts";
import { readChatConversation } from "./read-conversation.ts";
import { ChatReader } from "./read-stream.ts";
import { isOlderForm, readChatRequest, wantsUsage } from "./request.ts";
import { readChatResult } from "./result.ts";
import { ChatStream } from "./stream.ts";
import { ChatTrack } from "./track.ts";
import { writeChatAnswer } from "./write-answer.ts";
import { writeChatConversation } from "./write-conversation.ts";
import { writeChatRequest } from "./write-request.ts";
import { ChatWriter } from "./write-stream.ts";

function isCustom(tool: unknown): boolean {
  return isObject(tool) && tool.type === "custom";
}

/** Chat completions, facing clients and vendors. */
export function chatWire(limits: Limits): Wire {
  return {
    endpoint: "chat",
    members: CHAT_MEMBERS,
    path: () => "/chat/completions",
    readRequest: (body, text) => readChatRequest(body, text, limits),
    inputOf: ({ body }) => ({
      conversation: body.messages,
      tools: [body.tools, body.functions, body.response_format],
    }),
    readConversation: readChatConversation,
    openWriter: ({ body }, options) => new ChatWriter(options, isOlderForm(body)),
    writeAnswer: (answer, { body }, options) => writeChatAnswer(answer, options, isOlderForm(body)),
    writeFault: (fault) => JSON.stringify({ error: fault.toWire() }),
    writeConversation: writeChatConversation,
    openReader: () => new ChatReader(),
    openTrack: () => new ChatTrack(),
    readAnswer: readChatAnswer,
    readFault: faultOfVendor,
    // A tool of free text goes out as a function there, and its calls have to be turned back. So has the
    // older form of functions, which most vendors do not know.
    passes: ({ body }, dialect) =>
      !isOlderForm(body) &&
      (dialect.customTools === true || !Array.isArray(body.tools) || !body.tools.some(isCustom)),
    writeRequest: writeChatRequest,
    readResult: readChatResult,
    openStream: (request, options) =>
      new ChatStream(options, wantsUsage(request), request.choices, request.webSearch),
  };
}
