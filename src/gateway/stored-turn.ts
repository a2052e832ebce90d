import type { PresentedKey } from "../accounts/account.ts";
import { inputItems, type Remembered } from "../conversations/conversations.ts";
import type { Reader } from "../conversations/record.ts";
import { newId } from "../lib/ids.ts";
import { type JsonBounds, weighJson } from "../lib/json/json-bounds.ts";
import { weighLargeJson, writeJson } from "../lib/json/large-json.ts";
import type { MaybePromise } from "../lib/maybe-promise.ts";
import type { TimeBudget } from "../lib/threads/time-budget.ts";
import { flatten, isLarge } from "../lib/yield-to-loop.ts";
import { JsonText } from "../protocols/bytes/splice.ts";
import type { JsonObject } from "../protocols/fields.ts";
import { membersInSteps } from "../protocols/members/member-walk.ts";
import { ownResponse } from "../protocols/responses/answer/result.ts";
import { mayCallWebSearch } from "../protocols/responses/request/request.ts";
import type { AnswerEnd, AnswerOptions, ClientRequest } from "../protocols/wire.ts";
import type { Caller } from "./admitted-request.ts";
import { type Body, bodyBounds } from "./arriving/body.ts";
import type { Services } from "./services.ts";

/** What the log calls a response that storage did not take: in an outage, each of them. */
export const NOT_KEPT = "response_not_kept";

/** Whose stored responses a key may see: its own, or the account's where it may read the account. */
export function readerOf(key: PresentedKey): Reader {
  return { accountId: key.accountId, keyId: key.accountRead ? undefined : key.id };
}

/** One turn of a conversation: what the answer says about being kept, and how it is kept. */
export interface StoredTurn {
  readonly echo: Readonly<Record<string, string>>;
  /** What its response is called. Vendors' own names may come twice, and it is to be found by this one. */
  readonly responseId?: string;
  readonly keepReasoning: boolean;
  /** Whether a later request can go on from this one by its id. */
  readonly continues: boolean;
  /** Keeps the response. The result, which is there once it is kept, says what the answer must add about it. */
  keep(
    final: JsonObject,
    options: AnswerOptions,
    end: AnswerEnd,
    timeBudget: TimeBudget,
  ): MaybePromise<AnswerEnd>;
  /** Takes away again what was kept, since the client was told that there is no answer. */
  drop(): Promise<void>;
}

/** A wire that keeps nothing. */
export const NO_TURN: StoredTurn = {
  echo: {},
  keepReasoning: false,
  continues: false,
  keep: (_final, _options, end) => end,
  drop: async () => {},
};

/** What has arrived of a request, which holds all that it stands for too. */
type Holding = Pick<Body, "grow" | "taken">;

/**
 * The request with a whole conversation for its input. A few bytes may stand for a long one: it is bounded and
 * counted as if it had been sent, and like what is sent put together in steps where it is large.
 */
async function withConversation(
  request: ClientRequest,
  items: readonly JsonObject[],
  { arrived, takenBefore }: { arrived: Holding; takenBefore: number },
  bounds: JsonBounds,
): Promise<ClientRequest> {
  // What was counted while it was read is a part of what it comes to.
  const count = (bytes: number) => arrived.grow(Math.max(0, takenBefore + bytes - arrived.taken));
  const body = { ...request.body, input: items };
  const written = writeJson(items);
  const input = written instanceof Promise ? await written : written;
  const text = request.json.edit({ input });
  const json = new JsonText(text);
  if (isLarge(text)) {
    await flatten(text);
    const { bytes, ends } = await weighLargeJson(text, bounds);
    count(bytes);
    json.know(text, await membersInSteps(text, ends));
  } else count(weighJson(text, bounds));
  return { ...request, webSearch: mayCallWebSearch(body), body, json };
}

/**
 * Keeps a turn once its answer is there. Made here, of what it needs: what else is known of the request where the turn
 * begins would be held until the answer ends.
 */
function turnStorage(
  { turns, log }: Pick<Services, "turns" | "log">,
  reader: Required<Reader>,
  said: Omit<Remembered, "id" | "response">,
  stored: boolean,
): Pick<StoredTurn, "keep" | "drop"> {
  let kept: string | undefined;
  return {
    async keep(final, options, end, timeBudget) {
      const turn = { ...said, id: String(final.id), response: ownResponse(final, options, end) };
      kept = turn.id;
      try {
        if (await turns.remember(reader, turn, stored, timeBudget)) return end;
      } catch (thrown) {
        log.error(NOT_KEPT, { response: turn.id, thrown });
      }
      return { ...end, echo: { store: "false" } };
    },
    async drop() {
      if (kept !== undefined) await turns.drop(reader, kept);
    },
  };
}

/**
 * Begins a turn on the Responses wire: the conversation it continues is put in front of its input,
 * and its end will be kept unless the client or the operator does not want that.
 */
export async function openStoredTurn(
  services: Pick<Services, "turns" | "log" | "limits">,
  { key, timeBudget }: Pick<Caller, "key" | "timeBudget">,
  request: ClientRequest,
  arrived: Holding,
): Promise<{ request: ClientRequest; turn: StoredTurn }> {
  const { body } = request;
  const { turns, limits } = services;
  const takenBefore = arrived.taken;
  const items = await turns.expand(body, readerOf(key), timeBudget, arrived);
  const expanded = items
    ? await withConversation(request, items, { arrived, takenBefore }, bodyBounds(limits))
    : request;
  const parentId = typeof body.previous_response_id === "string" ? body.previous_response_id : null;
  // What is too large to be kept is not held on to until the answer ends either, said by the client or gone on from.
  const fits = request.json.text.length <= limits.response_bytes_max;
  const allFits = fits && expanded.json.text.length <= limits.response_bytes_max;
  const stored = turns.enabled && body.store !== false && fits;
  const echo = { store: String(stored), previous_response_id: JSON.stringify(parentId) };
  const wanted = stored || (turns.wantsAll && allFits);
  if (!wanted) return { request: expanded, turn: { ...NO_TURN, echo } };
  const input = inputItems(body.input);
  const all = turns.wantsAll && allFits ? { conversation: items ?? input } : {};
  const reader = { accountId: key.accountId, keyId: key.id };
  const kept = turnStorage(services, reader, { parentId, input, ...all }, stored);
  const responseId = newId("resp_");
  const turn = { echo, responseId, keepReasoning: true, continues: true, ...kept };
  return { request: expanded, turn };
}
