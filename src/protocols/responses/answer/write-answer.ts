import type { Fault } from "../../../lib/faults.ts";
import type { Answer } from "../../canon.ts";
import type { JsonObject } from "../../fields.ts";
import { CallIds } from "../../translation/tool-names.ts";
import type { AnswerOptions, ClientRequest } from "../../wire.ts";
import { writeResponseUsage } from "../usage.ts";
import {
  itemId,
  readsRefusals,
  withArguments,
  withDistinctId,
  withoutRefusals,
  writeOutputItem,
} from "./output-item.ts";
import { beginResponse, echoOf, endResponse } from "./response-object.ts";

function writeItems(answer: Answer, keepsRefusals: boolean): JsonObject[] {
  const ids = new CallIds();
  const last = answer.items.length - 1;
  return answer.items.map((given, i) => {
    const item = withArguments(withDistinctId(keepsRefusals ? given : withoutRefusals(given), ids));
    // What stops early stops in its last item.
    const status = i === last ? answer.status : "completed";
    return writeOutputItem(item, itemId(item), status);
  });
}

/** The response of an answer that failed, for our own reader of this wire. */
export function failResponse(begun: JsonObject, fault: Fault): JsonObject {
  return { ...begun, status: "failed", error: fault.toJson() };
}

/** A whole answer as a vendor of this wire would write it. */
export function writeResponsesAnswer(
  answer: Answer,
  request: ClientRequest,
  options: AnswerOptions,
): JsonObject {
  const begun = beginResponse(echoOf(request), options, answer.id);
  if (answer.failure) {
    const usage = answer.usage ? writeResponseUsage(answer.usage) : null;
    return { ...failResponse(begun, answer.failure), usage };
  }
  const output = writeItems(answer, readsRefusals(request.body));
  return endResponse(begun, { ...answer, output });
}
