import { existsSync, readFileSync } from "node:fs";
import { mapFile } from "../../../lib/files/mapped-file.ts";
import type { OrphanRow } from "../../money/interrupted.ts";
import { readAmount, type WrittenAmount, writeAmount } from "../journal/written-amount.ts";

const SLOT_BYTES = 512;
const SLOTS = 8_192;
const SLOTS_BYTES = SLOT_BYTES * SLOTS;

/** Of a slot: whether it is taken, whether its charge was denied, how long its text is, the sum of that, and the text. */
const TAKEN = 0;
const DENIED = 1;
const SIZE = 2;
const SUM = 4;
const TEXT = 8;
const TEXT_MAX = SLOT_BYTES - TEXT;
/** A text that was cut for want of room leaves less of it than the longest character, of four bytes, takes. */
const WHOLE_MAX = TEXT_MAX - 4;

/** A hold as a slot keeps it. */
export type KeptHold = OrphanRow;

type Cells = [
  id: string,
  accountId: string,
  keyId: string,
  amount: WrittenAmount,
  inputCost: WrittenAmount,
  model: string,
  endpoint: string,
  channel: string,
  stream: number,
  createdAtMs: number,
];

/**
 * A count that is a number already must not be made one again: the compiler takes what `Number` makes for a small
 * integer, and a time of day sends it back to slow code with each request.
 */
function numberOf(whole: number | bigint): number {
  return typeof whole === "number" ? whole : Number(whole);
}

function writeHold(hold: KeptHold): string {
  const cells: Cells = [
    hold.id,
    hold.account_id,
    hold.key_id,
    writeAmount(hold.amount),
    writeAmount(hold.input_cost),
    hold.model,
    hold.endpoint,
    hold.channel,
    numberOf(hold.stream),
    numberOf(hold.created_at),
  ];
  return JSON.stringify(cells);
}

function readHold(text: string): KeptHold {
  const [id, account_id, key_id, held, inputs, model, endpoint, channel, stream, created_at] =
    JSON.parse(text) as Cells;
  const [amount, input_cost] = [readAmount(held), readAmount(inputs)];
  return {
    ...{ id, account_id, key_id, amount, input_cost },
    ...{ model, endpoint, channel, stream, created_at },
  };
}

/**
 * What stands in a slot whose charge was denied: never zero, and another for most other texts, since a program that
 * does not know of it would leave it in a slot that it takes for another hold.
 */
function denialOf(bytes: Buffer, slot: number): number {
  return 1 + (bytes.readUInt32LE(slot * SLOT_BYTES + SUM) % 255);
}

/** Undefined for a slot that is free, or says nothing whole. */
function readSlot(bytes: Buffer, slot: number): KeptHold | undefined {
  const at = slot * SLOT_BYTES;
  if (bytes[at + TAKEN] !== 1) return undefined;
  const size = bytes.readUInt16LE(at + SIZE);
  if (size > TEXT_MAX) return undefined;
  const text = bytes.subarray(at + TEXT, at + TEXT + size);
  if (Bun.hash.crc32(text) !== bytes.readUInt32LE(at + SUM)) return undefined;
  try {
    return readHold(text.toString());
  } catch {
    return undefined;
  }
}

/** The holds in a file of slots, of a process that lives or that is gone. */
export function readSlots(path: string): KeptHold[] {
  const bytes = readFileSync(path);
  const count = Math.floor(bytes.length / SLOT_BYTES);
  return Array.from({ length: count }, (_, slot) => readSlot(bytes, slot)).filter(
    (hold) => hold !== undefined,
  );
}

/**
 * Open holds in a file that is mapped into memory. They say what was interrupted when a process has died,
 * and nothing else: who may spend what is decided without them. A slot is taken by its first byte, written
 * last, so that a kill leaves it whole or not at all. A power cut may leave any of it: what does not fit
 * its sum is none, and belonged to a request that died unsettled. A slot also says whether the client of its request
 * was told that nothing is charged: that needs no disk that answers, as everything else does that outlives a process.
 */
export class HoldSlots {
  readonly #bytes: Buffer;
  readonly #free: number[] = [];

  private constructor(bytes: Buffer, isNew: boolean) {
    this.#bytes = bytes;
    for (let slot = SLOTS - 1; slot >= 0; slot--) {
      // To look at each of a new file would bring all of it into memory.
      if (isNew || this.#bytes[slot * SLOT_BYTES] === 0) this.#free.push(slot);
    }
  }

  /** Undefined where files cannot be mapped. */
  static open(path: string): HoldSlots | undefined {
    const isNew = !existsSync(path);
    const bytes = mapFile(path, SLOTS_BYTES);
    return bytes && new HoldSlots(bytes, isNew);
  }

  /** What a former process left taken; slots that say nothing whole are given back. */
  left(): { readonly slot: number; readonly hold: KeptHold }[] {
    if (this.#free.length === SLOTS) return [];
    const found: { slot: number; hold: KeptHold }[] = [];
    for (let slot = 0; slot < SLOTS; slot++) {
      if (this.#bytes[slot * SLOT_BYTES] === 0) continue;
      const hold = readSlot(this.#bytes, slot);
      if (hold) found.push({ slot, hold });
      else this.release(slot);
    }
    return found;
  }

  /** The slot that has it now; undefined when all are taken, or it is too long for one. */
  take(hold: KeptHold): number | undefined {
    const slot = this.#free.pop();
    if (slot === undefined) return undefined;
    const text = writeHold(hold);
    const at = slot * SLOT_BYTES;
    const size = this.#bytes.write(text, at + TEXT, TEXT_MAX);
    if (size > WHOLE_MAX && size < Buffer.byteLength(text)) {
      this.#free.push(slot);
      return undefined;
    }
    this.#bytes.writeUInt16LE(size, at + SIZE);
    // Of the text, which is that of its bytes: a view of them would be one more object for each request.
    this.#bytes.writeUInt32LE(Bun.hash.crc32(text), at + SUM);
    this.#bytes[at + DENIED] = 0;
    this.#bytes[at + TAKEN] = 1;
    return slot;
  }

  deny(slot: number): void {
    this.#bytes[slot * SLOT_BYTES + DENIED] = denialOf(this.#bytes, slot);
  }

  isDenied(slot: number): boolean {
    return this.#bytes[slot * SLOT_BYTES + DENIED] === denialOf(this.#bytes, slot);
  }

  release(slot: number): void {
    this.#bytes[slot * SLOT_BYTES + TAKEN] = 0;
    this.#free.push(slot);
  }
}
