import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { partsOfTest } from "../../../../test/support/houses/house.ts";
import { writeAmount } from "../journal/written-amount.ts";
import { HoldSlots, type KeptHold, readSlots } from "./hold-slots.ts";

const SLOTS = 8_192;
const SLOT_BYTES = 512;
const TEXT_MAX = SLOT_BYTES - 8;

const parts = partsOfTest();
const newFile = () => join(parts.folder(), "holds.map");

const hold = (id: string, over: Partial<KeptHold> = {}): KeptHold => ({
  id,
  account_id: "acct_1",
  key_id: "key_1",
  amount: 2n ** 60n,
  input_cost: 7n,
  model: "模型-1.0",
  endpoint: "chat",
  channel: "sandbox",
  stream: 1,
  created_at: 1_760_000_000_000,
  ...over,
});

/** What its text says. Before, both amounts were texts whatever their size. */
function cellsOf(kept: KeptHold, amountOf: (nano: bigint) => unknown = writeAmount): unknown[] {
  const { id, account_id, key_id, amount, input_cost, ...rest } = kept;
  const { model, endpoint, channel, stream, created_at } = rest;
  const amounts = [amountOf(amount), amountOf(input_cost)];
  return [id, account_id, key_id, ...amounts, model, endpoint, channel, stream, created_at];
}

function opened(path: string): HoldSlots {
  const slots = HoldSlots.open(path);
  if (!slots) throw new Error("files cannot be mapped here");
  return slots;
}

describe("slots of holds", () => {
  test("say who left them taken, to whoever opens the file next", () => {
    const path = newFile();
    const slots = opened(path);
    const [first, second] = [slots.take(hold("req_1")), slots.take(hold("req_2"))];
    expect(second).not.toBe(first);
    expect(readSlots(path)).toEqual([hold("req_1"), hold("req_2")]);
    slots.release(first as number);
    expect(opened(path).left()).toEqual([{ slot: second as number, hold: hold("req_2") }]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test("are written as every version reads them", () => {
    const path = newFile();
    const slot = opened(path).take(hold("req_1", { stream: 0n, created_at: 7n })) as number;
    const bytes = readFileSync(path).subarray(slot * SLOT_BYTES);
    const text = bytes.subarray(8, 8 + bytes.readUInt16LE(2));
    const written = cellsOf(hold("req_1", { stream: 0, created_at: 7 }));
    expect(text.toString()).toBe(JSON.stringify(written));
    expect([bytes[0], bytes[1], bytes.readUInt32LE(4)]).toEqual([1, 0, Bun.hash.crc32(text)]);
  });

  test("are read as every version has written them", () => {
    const path = newFile();
    const kept = hold("req_1", { amount: 388_750n });
    const slot = opened(path).take(kept) as number;
    const bytes = readFileSync(path);
    const at = slot * SLOT_BYTES;
    const text = JSON.stringify(cellsOf(kept, String));
    bytes.writeUInt16LE(bytes.write(text, at + 8), at + 2);
    bytes.writeUInt32LE(Bun.hash.crc32(text), at + 4);
    writeFileSync(path, bytes);
    expect(readSlots(path)).toEqual([kept]);
  });

  test("that a former process took are not given away", () => {
    const path = newFile();
    const taken = opened(path).take(hold("req_1"));
    const next = opened(path);
    for (let i = 1; i < SLOTS; i++) expect(next.take(hold(`req_${i}`))).not.toBe(taken);
    expect(next.take(hold("req_late"))).toBeUndefined();
    next.release(taken as number);
    expect(next.take(hold("req_late"))).toBe(taken as number);
  });

  test("take no hold that is too long for one", () => {
    const slots = opened(newFile());
    expect(slots.take(hold("req_1", { model: "m".repeat(450) }))).toBeUndefined();
    expect(slots.take(hold("req_1", { model: "模".repeat(150) }))).toBeUndefined();
    const fits = hold("req_1", { model: "模".repeat(100) });
    const slot = slots.take(fits) as number;
    expect(slots.left()).toEqual([{ slot, hold: fits }]);
  });

  test("take each hold whose text fits, to the last byte, whatever its characters are", () => {
    const slots = opened(newFile());
    const head = Buffer.byteLength(JSON.stringify(cellsOf(hold("req_1", { model: "" }))));
    const near = fc.integer({ min: TEXT_MAX - head - 9, max: TEXT_MAX - head + 5 });
    const last = fc.constantFrom("", "a", "é", "模", "😀", "\ud800", '"');
    fc.assert(
      fc.property(near, last, last, (length, filling, end) => {
        const fill = filling || "m";
        const model = fill.repeat(Math.floor(length / Buffer.byteLength(fill))) + end;
        const current = hold("req_1", { model });
        const fits = Buffer.byteLength(JSON.stringify(cellsOf(current))) <= TEXT_MAX;
        const slot = slots.take(current);
        expect(slot !== undefined).toBe(fits);
        if (slot === undefined) return;
        expect(slots.left()).toEqual([{ slot, hold: current }]);
        slots.release(slot);
      }),
    );
  });

  test("of which any byte is another say nothing, and are free again", () => {
    const path = newFile();
    const slot = opened(path).take(hold("req_1")) as number;
    const bytes = readFileSync(path);
    const from = slot * SLOT_BYTES;
    const size = bytes.readUInt16LE(from + 2);
    // All of its head, of which the second byte is not for all, and some of its text.
    const text = Array.from({ length: Math.floor(size / 9) }, (_, i) => 8 + 9 * i);
    for (const place of [0, 2, 3, 4, 5, 6, 7, ...text, 8 + size - 1]) {
      const at = from + place;
      const torn = Buffer.from(bytes);
      torn[at] = (torn[at] as number) ^ 0x41;
      const other = newFile();
      writeFileSync(other, torn);
      const slots = opened(other);
      expect({ at, left: slots.left() }).toEqual({ at, left: [] });
      expect(readSlots(other)).toEqual([]);
    }
  });

  test("say of which of them the charge was denied, and of no hold that comes after", () => {
    const path = newFile();
    const slots = opened(path);
    const [first, second] = [slots.take(hold("req_1")), slots.take(hold("req_2"))] as [
      number,
      number,
    ];
    slots.deny(first);
    expect([first, second].map((slot) => opened(path).isDenied(slot))).toEqual([true, false]);
    expect(readSlots(path)).toEqual([hold("req_1"), hold("req_2")]);
    slots.release(first);
    expect(slots.take(hold("req_3"))).toBe(first);
    expect(slots.isDenied(first)).toBe(false);
    // An older program takes the slot for another hold, and leaves that byte as it is.
    slots.deny(first);
    const at = first * SLOT_BYTES + 1;
    const denied = readFileSync(path)[at] as number;
    slots.release(first);
    slots.take(hold("req_4"));
    const bytes = readFileSync(path);
    bytes[at] = denied;
    const other = newFile();
    writeFileSync(other, bytes);
    expect(opened(other).isDenied(first)).toBe(false);
  });

  test("of a file that was cut are those that are left", () => {
    const path = newFile();
    const slots = opened(path);
    const places = [1, 2, 3].map((n) => slots.take(hold(`req_${n}`)) as number);
    writeFileSync(
      path,
      readFileSync(path).subarray(0, (Math.max(...places) + 1) * SLOT_BYTES - 40),
    );
    expect(opened(path).left()).toHaveLength(3);
    writeFileSync(path, readFileSync(path).subarray(0, SLOT_BYTES));
    expect(opened(path).left().length).toBeLessThan(3);
    expect(statSync(path).size).toBe(SLOTS * SLOT_BYTES);
  });

  test("are none where the file cannot be mapped", () => {
    const path = newFile();
    mkdirSync(path);
    expect(HoldSlots.open(path)).toBeUndefined();
  });
});
