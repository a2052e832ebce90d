import { expect } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { TestServer, temporaryFolder } from "../server.ts";
import { expectRightBooks } from "./books.ts";
import { callAs, type Face, type Heard } from "./faces.ts";
import { type Script, ScriptedVendor } from "./scripted-vendor.ts";
import type { VendorWireName } from "./vendor-bytes.ts";
import { eventually } from "./waiting.ts";
import type { JsonObject } from "./wires.ts";

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

/** A gateway in front of a vendor on bare sockets, with everything that either side said kept. */
export class VendorHouse {
  readonly vendor: ScriptedVendor;
  readonly server: TestServer;
  readonly key: string;
  readonly #folder: { remove(): void };
  readonly #free: Map<VendorWireName, Slot[]>;
  readonly #heard: string[] = [];

  private constructor(
    vendor: ScriptedVendor,
    server: TestServer,
    key: string,
    folder: { remove(): void },
    free: Map<VendorWireName, Slot[]>,
  ) {
    this.vendor = vendor;
    this.server = server;
    this.key = key;
    this.#folder = folder;
    this.#free = free;
  }

  /** With so many models of each wire, every one on a channel of its own, and what else is said. */
  static async open(
    slotsOfEach: number,
    settings: Record<string, string> = {},
    more: (vendor: ScriptedVendor) => {
      channels?: JsonObject[];
      models?: JsonObject[];
    } = () => ({}),
  ): Promise<VendorHouse> {
    const vendor = await ScriptedVendor.start();
    const folder = temporaryFolder();
    const wires = Object.keys(KEYS) as VendorWireName[];
    const free = new Map(wires.map((wire) => [wire, slotsFor(wire, slotsOfEach)] as const));
    const slots = wires.flatMap((wire) => (free.get(wire) ?? []).map((slot) => ({ wire, slot })));
    const { channels = [], models = [] } = more(vendor);
    const file = {
      channels: [
        ...slots.map(({ wire, slot }) => ({
          id: slot.part,
          vendor: "custom",
          base_url: vendor.url(slot.part),
          keys: [slot.key],
          protocols: [wire],
          models: { [slot.model]: "vendor-name" },
        })),
        ...channels,
      ],
      models: [...slots.map(({ slot }) => modelEntry(slot.model)), ...models],
    };
    const path = join(folder.path, "faregate.yaml");
    writeFileSync(path, JSON.stringify(file));
    const started = TestServer.start({
      FAREGATE_DATA: folder.path,
      FAREGATE_CONFIG: path,
      FAREGATE_LOG: "debug",
      ...settings,
    });
    const server = await started.catch(async (thrown) => {
      await vendor.stop();
      folder.remove();
      throw thrown;
    });
    const { key } = await server.account("1000", "--rpm", "0");
    return new VendorHouse(vendor, server, key, folder, free);
  }

  /** A model that nothing has happened to yet. */
  slot(wire: VendorWireName, script: Script): Slot {
    const slot = this.#free.get(wire)?.pop();
    if (!slot) throw new Error(`there are too few slots of ${wire}`);
    this.vendor.play(slot.part, script);
    return slot;
  }

  get root(): string {
    return this.server.url.replace(/\/v1$/, "");
  }

  async call(face: Face, model: string, stream: boolean): Promise<Heard> {
    this.vendor.passedOn = "";
    const heard = await callAs(face, this.root, this.key, model, stream, (text) => {
      this.vendor.passedOn = text;
    });
    this.note(JSON.stringify([...heard.headers]), heard.text);
    return heard;
  }

  /** Words that a client got, to be searched for secrets in the end. */
  note(...words: string[]): void {
    this.#heard.push(...words);
  }

  /** The receipt of a request, which may be written after its client has gone. */
  receipt(requestId: string): Promise<Receipt> {
    return eventually(`there is a receipt of ${requestId}`, async () => {
      const response = await this.server.fetch(`/generation?id=${requestId}`, this.key);
      if (response.status !== 200) return undefined;
      const text = await response.text();
      this.note(text);
      return JSON.parse(text) as Receipt;
    });
  }

  /** The vendor is not kept waiting by anybody. */
  async expectNoCallLeftOpen(): Promise<void> {
    await eventually("the vendor's calls are ended", () => this.vendor.unfinished === 0);
  }

  /**
   * Whatever was tried: the books are right, nothing is held or open, and no key was told to anybody
   * or written to the log. Stops the server.
   */
  async expectNoTrace(): Promise<void> {
    const { server, vendor } = this;
    await this.expectNoCallLeftOpen();
    await eventually("nothing is held", async () => {
      const { open_holds } = await server.command<{ open_holds: number }>("verify");
      return open_holds === 0;
    });
    await expectRightBooks(server);
    expect(await server.stop()).toBe(0);
    await eventually("no socket is left", () => vendor.openSockets === 0);
    const words = [...this.#heard, ...(await server.errors).split("\n")];
    expect(words.filter((each) => each.includes(SECRET))).toEqual([]);
  }

  async close(): Promise<void> {
    await this.server.kill();
    await this.vendor.stop();
    this.#folder.remove();
  }
}

function slotsFor(wire: VendorWireName, count: number): Slot[] {
  return Array.from({ length: count }, (_, i) => ({
    part: `${wire}-${i}`,
    model: `${wire}-model-${i}`,
    key: KEYS[wire],
  }));
}
