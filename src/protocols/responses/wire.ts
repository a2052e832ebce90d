import type { Limits } from "../../config.ts";
import type { Wire } from "../wire.ts";
import { readResponsesRequest, writeResponsesRequest } from "./request.ts";
import { readResponseResult } from "./result.ts";
import { ResponsesStream } from "./stream.ts";

/** Responses, the same on both sides. */
export function responsesWire(limits: Limits): Wire {
  return {
    endpoint: "responses",
    path: "/responses",
    readRequest: (body, text) => readResponsesRequest(body, text, limits),
    inputOf: ({ body }) => ({
      conversation: [body.instructions, body.input],
      tools: [body.tools, body.text],
    }),
    writeRequest: writeResponsesRequest,
    readResult: readResponseResult,
    openStream: (_request, options) => new ResponsesStream(options),
  };
}
