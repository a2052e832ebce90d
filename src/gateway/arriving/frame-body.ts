import { UNBOUNDED } from "../../lib/json/json-bounds.ts";
import { weighLargeJson } from "../../lib/json/large-json.ts";
import type { MaybePromise } from "../../lib/maybe-promise.ts";
import { flatten, isLarge } from "../../lib/yield-to-loop.ts";
import { JsonText } from "../../protocols/bytes/splice.ts";
import {
  isObject,
  type JsonObject,
  missing,
  unsupported,
  wrongType,
  wrongValue,
} from "../../protocols/fields.ts";
import { refuseTwins, refuseTwinsInSteps } from "../../protocols/members/twins.ts";
import { RESPONSES_MEMBERS } from "../../protocols/responses/request/members.ts";
import { type Body, NO_ENDS } from "./body.ts";

/** What only makes sense over HTTP, or only here, and is not the turn's. */
const EDITS = {
  type: undefined,
  generate: undefined,
  stream_options: undefined,
  stream: "true",
} as const;

const FRAME = RESPONSES_MEMBERS.with(["type", "generate"]);

/** The turn that a message asks for. */
function turnOf(frame: unknown): JsonObject {
  if (!isObject(frame)) throw wrongType("message", "an object", frame);
  if (frame.type === undefined) throw missing("type");
  if (frame.type !== "response.create") {
    throw wrongValue("type", "the only message that is taken is 'response.create'.");
  }
  // Some clients warm a connection up with a turn that must write nothing, and so cost nothing.
  if (frame.generate === false) {
    throw unsupported("generate", "A turn without an answer is not offered here.");
  }
  const { type: _t, generate: _g, stream_options: _s, ...turn } = frame;
  return { ...turn, stream: true };
}

function bodyWith(frame: Body, body: Pick<Body, "text" | "value" | "ends">): Body {
  return {
    ...body,
    get taken() {
      return frame.taken;
    },
    grow: (bytes) => frame.grow(bytes),
    release: () => frame.release(),
  };
}

/** A message as the body that its turn would have over HTTP; what is kept has its very characters. */
export function frameBody(frame: Body): MaybePromise<Body> {
  const value = turnOf(frame.value);
  if (isLarge(frame.text)) return largeBody(frame, value);
  const json = new JsonText(frame.text);
  json.know(frame.text, refuseTwins(frame.text, FRAME));
  const text = json.edit(EDITS);
  return bodyWith(frame, { text, value, ends: NO_ENDS });
}

/** In steps, so that it does not hold up others. */
async function largeBody(frame: Body, value: JsonObject): Promise<Body> {
  const json = new JsonText(frame.text);
  json.know(frame.text, await refuseTwinsInSteps(frame.text, FRAME, frame.ends));
  const text = json.edit(EDITS);
  await flatten(text);
  // Its long strings stand elsewhere than those of the message.
  const { ends } = await weighLargeJson(text, UNBOUNDED);
  return bodyWith(frame, { text, value, ends });
}
