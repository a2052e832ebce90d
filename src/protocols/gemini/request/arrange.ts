import type { CallItem, Item, ResultItem } from "../../canon.ts";
import { Results } from "../../results.ts";

/** What one call of a model brought. */
interface Answered {
  readonly call: CallItem;
  readonly result: ResultItem;
}

/** Items in the order that the vendor takes: the results of a turn at once, right behind its calls. */
export type Arranged =
  | { readonly type: "item"; readonly item: Exclude<Item, ResultItem> }
  | { readonly type: "results"; readonly results: readonly Answered[] };

const ABORTED = "The call was aborted.";

function abortedResult(call: CallItem): ResultItem {
  const parts = [{ type: "text", text: ABORTED }] as const;
  return { type: "result", callId: call.callId, custom: call.custom, parts, failed: true };
}

/** A result without its call is something that the user tells. */
function orphan(result: ResultItem): Arranged {
  const text = `Result of the tool call ${result.callId}:`;
  const parts = [{ type: "text", text } as const, ...result.parts];
  return { type: "item", item: { type: "message", role: "user", parts } };
}

/** Whether an item belongs to the same turn of the model as the calls before it. */
function isOfModel(item: Item): boolean {
  if (item.type === "message") return item.role === "assistant";
  return item.type !== "result";
}

export function arrange(items: readonly Item[]): Arranged[] {
  const results = new Results(items);
  const called = new Set(items.flatMap((item) => (item.type === "call" ? [item.callId] : [])));
  const arranged: Arranged[] = [];
  let open: CallItem[] = [];
  const answer = () => {
    if (open.length === 0) return;
    arranged.push({
      type: "results",
      results: open.map((call) => ({
        call,
        result: results.take(call.callId) ?? abortedResult(call),
      })),
    });
    open = [];
  };
  for (const item of items) {
    if (!isOfModel(item)) answer();
    if (item.type === "result") {
      if (!called.has(item.callId)) arranged.push(orphan(item));
      continue;
    }
    if (item.type === "call") open.push(item);
    arranged.push({ type: "item", item });
  }
  answer();
  return arranged;
}
