import type { Receipt } from "./receipt.ts";

const DAY_MS = 86_400_000;

/** The name that those have in common which have none of their own. */
export const OTHER_MODELS = "(other)";

/**
 * Under which name a model stands that nobody knows. Sums are kept by the model for ever, and whoever asks for
 * another one each time would make a row of them with every refusal. So of each key only the first ones of a day
 * have their own. Receipts have the name of the sums, by which they are found.
 */
export class UnknownModels {
  readonly #namesMax: number;
  readonly #namesOf = new Map<string, Set<string>>();
  #day = 0;

  constructor(namesMax: number) {
    this.#namesMax = namesMax;
  }

  nameFor({ keyId, model, createdAtMs }: Pick<Receipt, "keyId" | "model" | "createdAtMs">): string {
    this.#turn(Math.floor(createdAtMs / DAY_MS));
    const names = this.#namesOf.get(keyId) ?? new Set();
    this.#namesOf.set(keyId, names);
    if (names.size < this.#namesMax) names.add(model);
    return names.has(model) ? model : OTHER_MODELS;
  }

  /**
   * Nothing is kept of a day that is over, so that keys do not pile up. What began on the day before counts with this one:
   * around midnight they come in turns. Of a day further back it can only be that the clock was set back.
   */
  #turn(day: number): void {
    if (day === this.#day || day === this.#day - 1) return;
    this.#day = day;
    this.#namesOf.clear();
  }
}
