import type { Limits } from "../../config/config.ts";
import { faultOfVendor } from "../faults.ts";
import type { Wire } from "../wire.ts";
import { RESPONSES_MEMBERS } from "./members.ts";
import { readResponsesAnswer } from "./read-answer.ts";
import { readResponsesConversation } from "./read-conversation.ts";
import { ResponsesReader } from "./read-stream.ts";
import { readResponsesRequest, writeResponsesRequest } from "./request.ts";
import { readResponseResult } from "./result.ts";
import { ResponsesStream } from "./stream.ts";
import { ResponsesTrack } from "./track.ts";
import { asUsed } from "./used-body.ts";
import { writeResponsesAnswer } from "./write-answer.ts";
import { writeResponsesConversation } from "./write-conversation.ts";
import { ResponsesWriter } from "./write-stream.ts";

export function responsesWire(limits: Limits): Wire {
  return {
    endpoint: "responses",
    members: RESPONSES_MEMBERS,

    readRequest: (body, text) => readResponsesRequest(body, text, limits),
    inputOf: ({ body }) => ({
      conversation: [body.instructions, body.input],
      tools: [body.tools, body.text],
    }),
    readConversation: readResponsesConversation,
    asUsed,
    openWriter: (request, options) => new ResponsesWriter(request, options),
    writeAnswer: writeResponsesAnswer,
    writeFault: (fault) => JSON.stringify({ error: fault.toWire() }),

    path: () => "/responses",
    writeConversation: writeResponsesConversation,
    openReader: () => new ResponsesReader(),
    openTrack: () => new ResponsesTrack(),
    readAnswer: readResponsesAnswer,
    readFault: faultOfVendor,

    writeRequest: writeResponsesRequest,
    readResult: readResponseResult,
    openStream: (_request, options) => new ResponsesStream(options),
  };
}
