import { expect } from "bun:test";
import { expectRightBooks, receiptForOperators } from "../books.ts";
import { isFull } from "../counts.ts";
import { noHolds } from "../houses/database.ts";
import type { Parts } from "../houses/house.ts";
import { serve } from "../houses/serving.ts";
import { callAs, type Face, type Heard } from "../samples/faces.ts";
import type { JsonObject } from "../samples/wires.ts";
import { eventually } from "../waiting.ts";
import { type Script, ScriptedVendor } from "./scripted-vendor.ts";
import type { VendorWireName } from "./vendor-bytes.ts";

/** What every model of these tests costs: nano-dollars for one token. */
export const INPUT_NANO = 1_000n;
export const OUTPUT_NANO = 4_000n;
export const CONTEXT = 100_000;
export const MAX_OUTPUT = 4_096;
export const PRICE = { input: "1", output: "4" };

/** A part of a key that no word of anybody contains. */
export const SECRET = "7hXq2vT9zLw4";

/** Keys as the vendors of each wire write them; servers of one's own have any. */
const KEYS: Readonly<Record<VendorWireName, string>> = {
  responses: `sk-proj-${SECRET}`,
  chat: `${SECRET}0f3c9a`,
  messages: `sk-ant-api03-${SECRET}`,
  gemini: `AIzaSy${SECRET}`,
};

/** A model that one channel of its own serves: what happens to it happens to nobody else. */
export interface Slot {
  readonly wire: VendorWireName;
  readonly part: string;
  readonly model: string;
  readonly key: string;
}

export interface Receipt extends JsonObject {
  readonly status: number;
  readonly billing_reason: string;
  readonly error_code: string | null;
  readonly cost: string;
  readonly usage: JsonObject;
  readonly attempts?: readonly JsonObject[];
  readonly served_model?: string | null;
}

/** The configuration of a model of these tests. */
export function modelEntry(id: string, more: JsonObject = {}): JsonObject {
  const sizes = { context: CONTEXT, max_output: MAX_OUTPUT };
  return { id, owned_by: "tests", ...sizes, price: PRICE, ...more };
}

function slotsFor(wire: VendorWireName, count: number): Slot[] {
  return Array.from({ length: count }, (_, i) => ({
    wire,
    part: `${wire}-${i}`,
    model: `${wire}-model-${i}`,
    key: KEYS[wire],
  }));
}

interface HouseOptions {
  /** How many models of each wire there are, every one on a channel of its own. */
  readonly slots?: number;
  readonly settings?: Readonly<Record<string, string>>;
  /** What else the configuration says. */
  file?(vendor: ScriptedVendor): { channels?: JsonObject[]; models?: JsonObject[] };
}

/** A gateway in front of a vendor on bare sockets, with everything that either side said kept. */
export async function vendorHouse(parts: Parts, options: HouseOptions = {}) {
  const vendor = parts.keep(await ScriptedVendor.start());
  const free = (Object.keys(KEYS) as VendorWireName[]).flatMap((wire) =>
    slotsFor(wire, options.slots ?? 0),
  );
  const { channels = [], models = [] } = options.file?.(vendor) ?? {};
  const slotted = free.map(({ wire, part, key: own, model }) => ({
    id: part,
    vendor: "custom",
    base_url: vendor.url(part),
    keys: [own],
    protocols: [wire],
    models: { [model]: "vendor-name" },
  }));
  const { server, database } = await serve(parts, {
    settings: { FAREGATE_LOG: "debug", ...options.settings },
    file: {
      channels: [...slotted, ...channels],
      models: [...free.map(({ model }) => modelEntry(model)), ...models],
    },
  });
  const { key, accountId } = await server.account("1000", "--rpm", "0");
  const root = server.url.replace(/\/v1$/, "");
  const heard: string[] = [];
  /** Words that a client got, to be searched for secrets in the end. */
  const note = (...words: string[]) => void heard.push(...words);
  /** The vendor is not kept waiting by anybody. */
  const expectNoCallLeftOpen = () =>
    eventually("the vendor's calls are ended", () => vendor.unfinished === 0);
  return {
    vendor,
    server,
    key,
    root,
    note,
    expectNoCallLeftOpen,

    /** A model that nothing has happened to yet. */
    slot(wire: VendorWireName, script: Script): Slot {
      const at = free.findLastIndex((each) => each.wire === wire);
      const [slot] = at < 0 ? [] : free.splice(at, 1);
      if (!slot) throw new Error(`there are too few slots of ${wire}`);
      vendor.play(slot.part, script);
      return slot;
    },

    async call(face: Face, model: string, stream: boolean): Promise<Heard> {
      vendor.passedOn = "";
      const answer = await callAs(face, root, key, model, stream, {}, (text) => {
        vendor.passedOn = text;
      });
      note(JSON.stringify([...answer.headers]), answer.text);
      return answer;
    },

    /** The receipt of a request as operators see it, which may be written after its client has gone. */
    receipt(requestId: string): Promise<Receipt> {
      return eventually(`there is a receipt of ${requestId}`, async () => {
        const response = await server.fetch(`/generation?id=${requestId}`, key);
        if (response.status !== 200) return undefined;
        note(await response.text());
        const seen = await server.within(({ store }) =>
          receiptForOperators(store, accountId, requestId),
        );
        return seen as Receipt | undefined;
      });
    },

    /**
     * Whatever was tried: the books are right, nothing is held or open, and no key was told to anybody
     * or written to the log. Stops the server.
     */
    async expectNoTrace(): Promise<void> {
      await expectNoCallLeftOpen();
      await noHolds(database);
      await expectRightBooks(server);
      expect(await server.stop()).toBe(0);
      // Those that are kept for another call go with the process, if it had one of its own.
      if (isFull) await eventually("no socket is left", () => vendor.openSockets === 0);
      const words = [...heard, ...(await server.errors).split("\n")];
      expect(words.filter((each) => each.includes(SECRET))).toEqual([]);
    },
  };
}

export type VendorHouse = Awaited<ReturnType<typeof vendorHouse>>;
