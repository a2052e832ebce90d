import type { Limits } from "../../config/config.ts";
import { faultOfVendor } from "../faults.ts";
import { asMessage } from "../fields.ts";
import type { Wire } from "../wire.ts";
import { readResponsesAnswer } from "./answer/read-answer.ts";
import { ResponsesReader } from "./answer/read-stream.ts";
import { encodeEcho } from "./answer/response-object.ts";
import { readResponseResult } from "./answer/result.ts";
import { ResponsesStream } from "./answer/stream.ts";
import { ResponsesTrack } from "./answer/track.ts";
import { writeResponsesAnswer } from "./answer/write-answer.ts";
import { ResponsesWriter } from "./answer/write-stream.ts";
import { RESPONSES_MEMBERS } from "./request/members.ts";
import { readResponsesConversation } from "./request/read-conversation.ts";
import { readResponsesRequest, writeResponsesRequest } from "./request/request.ts";
import { previewAsked } from "./request/search-preview.ts";
import { asUsed } from "./request/used-body.ts";
import { writeResponsesConversation } from "./request/write-conversation.ts";

export function responsesWire(limits: Limits): Wire {
  return {
    endpoint: "responses",
    members: RESPONSES_MEMBERS,

    readRequest: (body, text) => readResponsesRequest(body, text, limits),
    inputOf: ({ body }) => ({
      conversation: [asMessage("system", body.instructions), asMessage("user", body.input)],
      tools: [body.tools, body.text],
    }),
    readConversation: readResponsesConversation,
    asUsed,
    encodeEcho,
    openWriter: (request, options) => new ResponsesWriter(request, options),
    writeAnswer: writeResponsesAnswer,
    writeFault: (fault) => JSON.stringify({ error: fault.toJson() }),

    path: () => "/responses",
    writeConversation: writeResponsesConversation,
    openReader: () => new ResponsesReader(),
    openTrack: () => new ResponsesTrack(),
    readAnswer: readResponsesAnswer,
    readFault: faultOfVendor,

    writeRequest: writeResponsesRequest,
    readResult: readResponseResult,
    openStream: (request, options) => new ResponsesStream(options, previewAsked(request)),
  };
}
