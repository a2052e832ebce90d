import type { Holder } from "../../conversations/packing.ts";
import type { Reader } from "../../conversations/record.ts";
import type { AnswerOf } from "../../lib/contract.ts";
import type { Incoming } from "../../lib/route.ts";
import { type JsonObject, wrongValue } from "../../protocols/fields.ts";
import { fromStorage } from "../answering/from-storage.ts";
import { identifyReader } from "../arriving/take-body.ts";
import type { DELETE_RESPONSE, LIST_INPUT_ITEMS } from "../contract/responses.ts";
import type { Services } from "../services.ts";
import { readerOf } from "../stored-turn.ts";

const ITEMS_DEFAULT = 20;
const ITEMS_MAX = 100;

/** Whoever lists items gives an id to each that has none. */
function idOf(item: JsonObject | undefined): string | null {
  return (item?.id as string | undefined) ?? null;
}

/** What is read of storage for a client, by its key. */
function holding<T>(
  { answers: budget, watchdog }: Services,
  incoming: Incoming,
  { accountId }: Reader,
  read: (holder: Holder) => Promise<T>,
): Promise<T> {
  return fromStorage({ budget, watchdog }, incoming, accountId, read);
}

/** A stored response. Replaying it as a stream is not offered, so asking for that is an error. */
export async function showResponse(services: Services, incoming: Incoming): Promise<Response> {
  const { key, timeBudget } = await identifyReader(services, "responses", incoming);
  if (incoming.url.searchParams.get("stream") === "true") {
    throw wrongValue("stream", "stored responses are returned whole; leave 'stream' out.");
  }
  const id = incoming.params.id ?? "";
  const reader = readerOf(key);
  return holding(services, incoming, reader, async (holder) => {
    return Response.json(await services.conversations.response(id, reader, timeBudget, holder));
  });
}

export async function deleteResponse(
  services: Services,
  incoming: Incoming,
): Promise<AnswerOf<typeof DELETE_RESPONSE>> {
  const { key, timeBudget } = await identifyReader(services, "responses", incoming);
  const id = incoming.params.id ?? "";
  // A key that may read its whole account deletes no more than any other: what it has made itself.
  const owner = { accountId: key.accountId, keyId: key.id };
  await services.conversations.remove(id, owner, timeBudget);
  return { id, object: "response", deleted: true };
}

export async function listInputItems(
  services: Services,
  incoming: Incoming,
): Promise<AnswerOf<typeof LIST_INPUT_ITEMS>> {
  const { key, timeBudget } = await identifyReader(services, "responses", incoming);
  const query = incoming.url.searchParams;
  const limit = Number(query.get("limit") ?? ITEMS_DEFAULT);
  if (!Number.isInteger(limit) || limit < 1 || limit > ITEMS_MAX) {
    throw wrongValue("limit", `it must be a whole number from 1 to ${ITEMS_MAX}.`);
  }
  const order = query.get("order") ?? "desc";
  if (order !== "asc" && order !== "desc") throw wrongValue("order", "it must be 'asc' or 'desc'.");
  const after = query.get("after") ?? undefined;
  const id = incoming.params.id ?? "";
  const wanted = { limit, order, after } as const;
  const reader = readerOf(key);
  const page = await holding(services, incoming, reader, (holder) =>
    services.conversations.input(id, reader, wanted, timeBudget, holder),
  );
  return {
    object: "list",
    data: page.items,
    has_more: page.hasMore,
    first_id: idOf(page.items[0]),
    last_id: idOf(page.items.at(-1)),
  };
}
