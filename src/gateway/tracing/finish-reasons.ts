import { isObject, type JsonObject } from "../../protocols/fields.ts";
import { objectsOf } from "../../protocols/optional.ts";

function texts(values: readonly unknown[]): string[] {
  return values.filter((value): value is string => typeof value === "string" && value !== "");
}

/** The Responses wire has no word for it but whether the answer is whole, and if not, why. */
function ofResponse({ status, incomplete_details: why }: JsonObject): string[] {
  if (status === "completed") return ["stop"];
  return texts([isObject(why) ? why.reason : status]);
}

/** Why a model stopped, for each of its answers, in the words of the wire that a whole answer is written in. */
export function finishReasonsOf(body: JsonObject): readonly string[] {
  if (Array.isArray(body.choices)) {
    return texts(objectsOf(body.choices).map((choice) => choice.finish_reason));
  }
  if (Array.isArray(body.candidates)) {
    return texts(objectsOf(body.candidates).map((candidate) => candidate.finishReason));
  }
  return body.object === "response" ? ofResponse(body) : texts([body.stop_reason]);
}
