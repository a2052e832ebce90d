import type { Item, ResultItem } from "./canon.ts";

/** What tools returned for one call id, and how many of it were given out. */
interface Line {
  readonly results: ResultItem[];
  next: number;
}

/** What tools returned, by call and in order: ids may repeat in long histories. */
export class Results {
  readonly #lines = new Map<string, Line>();

  constructor(items: readonly Item[]) {
    for (const item of items) {
      if (item.type !== "result") continue;
      const line = this.#lines.get(item.callId);
      if (line) line.results.push(item);
      else this.#lines.set(item.callId, { results: [item], next: 0 });
    }
  }

  /** The next result of a call. */
  take(callId: string): ResultItem | undefined {
    const line = this.#lines.get(callId);
    return line?.results[line.next++];
  }
}
