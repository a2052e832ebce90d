import type { JsonObject } from "../support/samples/wires.ts";
import { MockVendor, type VendorCall } from "../support/vendors/mock-vendor.ts";
import { handwrittenChat } from "./handwritten-chat.ts";
import { handwrittenGemini } from "./handwritten-gemini.ts";
import { handwrittenMessages } from "./handwritten-messages.ts";
import { handwrittenResponses } from "./handwritten-responses.ts";
import { cueIn, PLAYS, type WireName } from "./scenes.ts";
import type { VendorScript } from "./vendor-script.ts";

const SCRIPTS: Readonly<Record<WireName, VendorScript>> = {
  responses: handwrittenResponses,
  chat: handwrittenChat,
  messages: handwrittenMessages,
  gemini: handwrittenGemini,
};

/** A request as a vendor got it. */
export interface VendorRequest {
  readonly wire: WireName;
  /** The vendor's name of the model, wherever the wire says it. */
  readonly model: string;
  readonly stream: boolean;
  readonly body: JsonObject;
  readonly text: string;
}

/** Sizes of the pieces that a stream is sent in: inside of lines, of words and of letters. */
const PIECES = [1, 7, 190, 3, 2, 61, 311, 5, 1, 97];

function* cut(text: string): Generator<Uint8Array, void> {
  const bytes = new TextEncoder().encode(text);
  for (let from = 0, i = 0; from < bytes.length; i++) {
    const to = from + (PIECES[i % PIECES.length] ?? 1);
    yield bytes.subarray(from, to);
    from = to;
  }
}

function streamOf(events: readonly string[]): Response {
  const pieces = cut(events.join(""));
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value } = pieces.next();
      // Let go of the thread, so that each piece is a write of its own.
      await new Promise((resolve) => setImmediate(resolve));
      if (value) controller.enqueue(value);
      else controller.close();
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

function wireOf(path: string): WireName {
  if (path.endsWith("/responses")) return "responses";
  if (path.endsWith("/chat/completions")) return "chat";
  if (path.endsWith("/messages")) return "messages";
  if (path.endsWith(":generateContent") || path.endsWith(":streamGenerateContent")) return "gemini";
  throw new Error(`no wire has the path ${path}`);
}

function requestOf(path: string, text: string): VendorRequest {
  const wire = wireOf(path);
  const body = JSON.parse(text) as JsonObject;
  if (wire !== "gemini") {
    return { wire, model: String(body.model), stream: body.stream === true, body, text };
  }
  const [, model = "", method] = /models\/([^:]+):(\w+)$/.exec(path) ?? [];
  return { wire, model, stream: method === "streamGenerateContent", body, text };
}

function answerTo({ wire, stream, text }: VendorRequest): Response {
  const script = SCRIPTS[wire];
  const scene = cueIn(text);
  if (scene === "rejected") return Response.json(script.rejection, { status: 400 });
  if (scene === "down") return Response.json(script.outage, { status: 500 });
  if (scene === "broken") return streamOf(script.cutEvents(PLAYS.text));
  const play = PLAYS[scene];
  return stream ? streamOf(script.events(play)) : Response.json(script.whole(play));
}

/** One vendor for all wires, told apart by the path. It plays what the prompt tells it to. */
export class PairVendor extends MockVendor {
  readonly requests: VendorRequest[] = [];

  override script = ({ path, text }: VendorCall) => {
    const request = requestOf(path, text);
    this.requests.push(request);
    return answerTo(request);
  };

  /** The request of the call that ended last. */
  get last(): VendorRequest {
    const request = this.requests.at(-1);
    if (!request) throw new Error("the vendor was not called");
    return request;
  }
}
