import type { Limits } from "../../config/config.ts";
import type { Wire } from "../wire.ts";
import { MessagesReader, readMessagesAnswer } from "./answer/read-answer.ts";
import { readMessagesResult } from "./answer/result.ts";
import { MessagesStream } from "./answer/stream.ts";
import { MessagesTrack } from "./answer/track.ts";
import { MessagesWriter, writeMessagesAnswer } from "./answer/write-answer.ts";
import { readMessagesFault, writeMessagesFault } from "./faults.ts";
import { MESSAGES_MEMBERS } from "./request/members.ts";
import { readMessagesConversation } from "./request/read-conversation.ts";
import { inputOfMessages, readMessagesRequest, writeMessagesRequest } from "./request/request.ts";
import { writeMessagesConversation } from "./request/write-conversation.ts";

/** Anthropic's Messages, facing clients and vendors. */
export function messagesWire(limits: Limits): Wire {
  return {
    endpoint: "messages",
    members: MESSAGES_MEMBERS,
    readRequest: (body, text) => readMessagesRequest(body, text, limits),
    inputOf: inputOfMessages,
    readConversation: readMessagesConversation,
    openWriter: (_request, options) => new MessagesWriter(options),
    writeAnswer: (answer, _request, options) => writeMessagesAnswer(answer, options),
    writeFault: writeMessagesFault,
    path: () => "/messages",
    readsArguments: true,
    writeConversation: writeMessagesConversation,
    openReader: () => new MessagesReader(),
    openTrack: () => new MessagesTrack(),
    readAnswer: readMessagesAnswer,
    readFault: readMessagesFault,
    writeRequest: writeMessagesRequest,
    readResult: readMessagesResult,
    openStream: (_request, options) => new MessagesStream(options),
  };
}
