import type { Limits } from "../../config/config.ts";
import { faultOfVendor } from "../faults.ts";
import { isObject } from "../fields.ts";
import type { ClientRequest, Wire } from "../wire.ts";
import { readChatAnswer } from "./answer/read-answer.ts";
import { ChatReader } from "./answer/read-stream.ts";
import { type ReasoningStyle, withoutThinking } from "./answer/reasoning-style.ts";
import { readChatResult } from "./answer/result.ts";
import { ChatStream } from "./answer/stream.ts";
import { ChatTrack } from "./answer/track.ts";
import { writeChatAnswer } from "./answer/write-answer.ts";
import { ChatWriter } from "./answer/write-stream.ts";
import { CHAT_MEMBERS } from "./request/members.ts";
import { readChatConversation } from "./request/read-conversation.ts";
import { inputOfChat, isOlderForm, readChatRequest, wantsUsage } from "./request/request.ts";
import { hidesThoughts } from "./request/thinking.ts";
import { writeChatConversation } from "./request/write-conversation.ts";
import { writeChatRequest } from "./request/write-request.ts";

function isCustom(tool: unknown): boolean {
  return isObject(tool) && tool.type === "custom";
}

/** Chat completions, facing clients and vendors. Clients of some addresses read thoughts by another name. */
export function chatWire(limits: Limits, thoughts: ReasoningStyle = "reasoning_content"): Wire {
  const styleFor = (request?: ClientRequest) =>
    request && hidesThoughts(request.body) ? "hidden" : thoughts;
  return {
    endpoint: "chat",
    members: CHAT_MEMBERS,
    path: () => "/chat/completions",
    readRequest: (body, text) => readChatRequest(body, text, limits),
    inputOf: inputOfChat,
    readConversation: readChatConversation,
    openWriter: ({ body }, options) => new ChatWriter(options, isOlderForm(body)),
    writeAnswer: (answer, { body }, options) =>
      writeChatAnswer(
        hidesThoughts(body) ? withoutThinking(answer) : answer,
        options,
        isOlderForm(body),
      ),
    writeFault: (fault) => JSON.stringify({ error: fault.toJson() }),
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
    readResult: (body, json, request) => readChatResult(body, json, styleFor(request)),
    openStream: (request, options) =>
      new ChatStream(options, wantsUsage(request), request.choices, styleFor(request)),
  };
}
