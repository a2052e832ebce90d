import type { Limits } from "../../config/config.ts";
import type { Wire } from "../wire.ts";
import { ARRAY } from "./answer/framing.ts";
import { GeminiReader, readGeminiAnswer } from "./answer/read-answer.ts";
import { readGeminiResult } from "./answer/result.ts";
import { GeminiStream } from "./answer/stream.ts";
import { GeminiTrack } from "./answer/track.ts";
import { GeminiWriter, writeGeminiAnswer } from "./answer/write-answer.ts";
import { readGeminiFault, writeGeminiFault } from "./faults.ts";
import { geminiPath } from "./path.ts";
import { GEMINI_MEMBERS } from "./request/members.ts";
import { writeGeminiRequest } from "./request/pass-request.ts";
import { readGeminiConversation } from "./request/read-conversation.ts";
import { inputOfGemini, readGeminiRequest } from "./request/request.ts";
import { writeGeminiConversation } from "./request/write-conversation.ts";

/** Google's generateContent and streamGenerateContent. */
export function geminiWire(limits: Limits): Wire {
  return {
    endpoint: "gemini",
    members: GEMINI_MEMBERS,
    readRequest: (body, text, path) => readGeminiRequest(body, text, limits, path),
    inputOf: inputOfGemini,
    readConversation: readGeminiConversation,
    openWriter: (request, options) => new GeminiWriter(request, options),
    writeAnswer: writeGeminiAnswer,
    writeFault: writeGeminiFault,
    path: geminiPath,
    readsArguments: true,
    writeConversation: writeGeminiConversation,
    openReader: () => new GeminiReader(),
    openTrack: () => new GeminiTrack(),
    readAnswer: readGeminiAnswer,
    readFault: readGeminiFault,
    writeRequest: writeGeminiRequest,
    readResult: readGeminiResult,
    openStream: (_request, options) => new GeminiStream(options),
  };
}

/** The same for a client that did not ask for events: its stream is one JSON array. */
export function arrayWire(wire: Wire): Wire {
  return {
    ...wire,
    streamType: "application/json; charset=utf-8",
    openStream: (_request, options) => new GeminiStream(options, ARRAY),
  };
}
