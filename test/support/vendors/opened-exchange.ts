import type { UpstreamCall } from "../../../src/upstream/channels/channels.ts";
import type { Exchange } from "../../../src/upstream/exchange.ts";
import type { ReadFault } from "../../../src/upstream/refusal.ts";
import type { VendorAnswer } from "../../../src/upstream/transport/vendor-answer.ts";

/** Sends the call as the gateway does it: resolves with a successful answer's head, and throws any refusal. */
export async function answerOf(
  exchange: Exchange,
  call: UpstreamCall,
  readFault: ReadFault,
): Promise<VendorAnswer> {
  let answer: VendorAnswer;
  try {
    answer = await exchange.send(call);
  } catch (thrown) {
    throw exchange.unanswered(thrown);
  }
  await exchange.heard(answer, readFault);
  return answer;
}
