import type { Limits } from "../../config/config.ts";
import { faultOfVendor } from "../faults.ts";
import type { PassWire } from "../wire.ts";
import { EMBEDDINGS_MEMBERS } from "./members.ts";
import { readEmbeddingsRequest, writeEmbeddingsRequest } from "./request.ts";
import { readEmbeddingsResult } from "./result.ts";

/** Embeddings: texts in, vectors out, priced by what goes in. Never a stream, never translated. */
export function embeddingsWire(limits: Limits): PassWire {
  return {
    endpoint: "embeddings",
    members: EMBEDDINGS_MEMBERS,
    readRequest: (body, text) => readEmbeddingsRequest(body, text, limits),
    // A text that comes as tokens is counted by the number of them, as every number counts as one.
    inputOf: ({ body }) => ({ conversation: body.input, tools: undefined }),
    path: () => "/embeddings",
    writeRequest: writeEmbeddingsRequest,
    readResult: readEmbeddingsResult,
    openStream: () => {
      throw new Error("embeddings are not streamed");
    },
    readFault: faultOfVendor,
    writeFault: (fault) => JSON.stringify({ error: fault.toJson() }),
  };
}
