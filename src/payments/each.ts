import type { Log } from "../telemetry/log.ts";

/** Does the work for each; one that fails is logged and keeps none of the others from theirs. */
export async function eachOnItsOwn<T extends { readonly id: string }>(
  items: readonly T[],
  log: Log,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  for (const item of items) {
    try {
      await work(item);
    } catch (thrown) {
      log.error("payment_not_taken_up", { id: item.id, thrown });
    }
  }
}
