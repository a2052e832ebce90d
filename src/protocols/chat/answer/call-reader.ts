import type { CallItem, CanonEvent } from "../../canon.ts";
import { isObject, type JsonObject } from "../../fields.ts";
import { textOf } from "../../optional.ts";
import { CallIds } from "../../translation/tool-names.ts";
import { signatureOf, signedThought } from "../reasoning-state.ts";

/** A call as it has come so far. */
interface Slot {
  readonly index: number | undefined;
  readonly vendorId: string | undefined;
  name: string;
  arguments: string;
  readonly custom: boolean;
  signature: string | undefined;
}

/** Some vendors write arguments as the object they are. */
function argumentsOf(inner: JsonObject): string {
  const given = inner.arguments ?? inner.input;
  return isObject(given) ? JSON.stringify(given) : textOf(given);
}

/** Whether nothing can follow: the text is one whole JSON object. */
function isWhole(slot: Slot): boolean {
  if (slot.custom || !slot.arguments.trimEnd().endsWith("}")) return false;
  try {
    JSON.parse(slot.arguments);
    return true;
  } catch {
    return false;
  }
}

/**
 * Calls arrive in pieces, by index, in any mixture. They are told one behind the other: the first
 * that is not done as it comes, those behind it when their turn is there.
 */
export class CallReader {
  readonly #slots: Slot[] = [];
  readonly #ids = new CallIds();
  /** How many of the slots have been told in full. */
  #done = 0;
  /** The id under which the first open slot has been announced, and how much of it was told. */
  #callId: string | undefined;
  #toldChars = 0;

  /** Whether a call has begun that is not done. */
  get isOpen(): boolean {
    return this.#done < this.#slots.length;
  }

  get hasCalls(): boolean {
    return this.#slots.length > 0;
  }

  /** Takes one element of `tool_calls`, or a `function_call` of the older form. */
  add(piece: JsonObject): void {
    const inner = isObject(piece.custom) ? piece.custom : piece.function;
    const { name, ...rest } = isObject(inner) ? inner : ({} as JsonObject);
    const slot = this.#slotFor(piece, textOf(name));
    // Whoever repeats a name repeats all of it.
    if (slot.name === "") slot.name = textOf(name);
    slot.arguments += argumentsOf(rest);
    slot.signature ??= signatureOf(piece);
  }

  /** What can be told now. `moved` says that the vendor has gone on to something else. */
  advance(moved: boolean): CanonEvent[] {
    const events: CanonEvent[] = [];
    for (let slot = this.#next(); slot && slot.name !== ""; slot = this.#next()) {
      this.#tell(slot, events);
      const isLast = this.#done === this.#slots.length - 1;
      if ((isLast && !moved) || !isWhole(slot)) break;
      this.#close(slot, events);
    }
    return events;
  }

  /** Everything that is left. A call that never got a name cannot be run and is left out. */
  finish(): CanonEvent[] {
    const events: CanonEvent[] = [];
    for (let slot = this.#next(); slot; slot = this.#next()) {
      if (slot.name === "") {
        this.#done++;
        continue;
      }
      this.#tell(slot, events);
      this.#close(slot, events);
    }
    return events;
  }

  #next(): Slot | undefined {
    return this.#slots[this.#done];
  }

  #slotFor(piece: JsonObject, name: string): Slot {
    const index = typeof piece.index === "number" ? piece.index : undefined;
    const vendorId = textOf(piece.id) || undefined;
    const known = this.#slots.findLast((slot) => {
      if (index !== undefined) return slot.index === index;
      return vendorId === undefined || slot.vendorId === vendorId;
    });
    // Some vendors number all calls 0; another id with a name is another call.
    const isOther = known?.vendorId && vendorId && known.vendorId !== vendorId && name !== "";
    if (known && !isOther) return known;
    const custom = isObject(piece.custom);
    const slot = { index, vendorId, name: "", arguments: "", custom, signature: undefined };
    this.#slots.push(slot);
    return slot;
  }

  /** Announces the slot once and tells what has come of its arguments since. */
  #tell(slot: Slot, events: CanonEvent[]): void {
    if (this.#callId === undefined) this.#open(slot, events);
    if (this.#toldChars === slot.arguments.length) return;
    events.push({ type: "arguments", delta: slot.arguments.slice(this.#toldChars) });
    this.#toldChars = slot.arguments.length;
  }

  #open(slot: Slot, events: CanonEvent[]): void {
    const { vendorId, signature } = slot;
    const callId = this.#ids.distinct(vendorId);
    this.#callId = callId;
    this.#toldChars = 0;
    if (signature !== undefined) {
      const thought = signedThought(signature, callId);
      events.push({ type: "item", item: { type: "reasoning", summary: [] } });
      events.push({ type: "item_done", item: thought });
    }
    events.push({ type: "item", item: this.#item(slot, callId, "") });
  }

  #close(slot: Slot, events: CanonEvent[]): void {
    // A tool that takes nothing is called with nothing at all by some vendors.
    if (slot.arguments === "" && !slot.custom) {
      slot.arguments = "{}";
      this.#tell(slot, events);
    }
    const item = this.#item(slot, this.#callId ?? "", slot.arguments);
    events.push({ type: "item_done", item });
    this.#callId = undefined;
    this.#done++;
  }

  #item(slot: Slot, callId: string, text: string): CallItem {
    const { name, custom } = slot;
    return { type: "call", callId, name, custom, arguments: text };
  }
}
