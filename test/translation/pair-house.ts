import { expect } from "bun:test";
import { expectRightBooks } from "../support/books.ts";
import type { Parts } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";
import type { JsonObject } from "../support/samples/wires.ts";
import type { Access, Ask, Client, Report } from "./client.ts";
import { PairVendor } from "./pair-vendor.ts";
import { WIRE_NAMES, type WireName } from "./scenes.ts";
import type { Seen } from "./seen.ts";
import { seenByChat } from "./seen-chat.ts";
import { seenByGemini } from "./seen-gemini.ts";
import { seenByMessages } from "./seen-messages.ts";
import { seenByResponses } from "./seen-responses.ts";

const SEEN_BY: Readonly<Record<WireName, (body: JsonObject) => Seen>> = {
  responses: seenByResponses,
  chat: seenByChat,
  messages: seenByMessages,
  gemini: seenByGemini,
};

/** Channels for calls that fail: what happens to one must not keep another from being called. */
const FAULT_SLOTS = 40;

const PRICE = {
  input: "1",
  output: "4",
  cache_read: "0.1",
  cache_write: "1.25",
  web_search_per_thousand: "10",
};
const RULES: Readonly<Partial<Record<WireName, string[]>>> = {
  messages: ["adaptive_thinking"],
  gemini: ["thinking_level"],
};

/** The vendor whose use of each wire includes searches. */
const SEARCHERS: Readonly<Partial<Record<WireName, string>>> = {
  responses: "openai",
  messages: "anthropic",
  gemini: "google",
};

function modelEntry(id: string, wire: WireName, ...more: string[]): JsonObject {
  const capabilities = ["tools", "vision", "reasoning", "json_schema", "stream", "files", ...more];
  const rules = RULES[wire] ? { rules: RULES[wire] } : {};
  const sizes = { context: 100_000, max_output: 8_192 };
  return { id, owned_by: "tests", ...sizes, capabilities, ...rules, price: PRICE };
}

/** What the vendor calls a model of this wire. */
export function vendorModel(wire: WireName): string {
  return `vendor-${wire}`;
}

interface Route {
  readonly model: string;
  readonly wire: WireName;
  readonly vendor: string;
  readonly searches?: boolean;
}

function routes(): Route[] {
  return WIRE_NAMES.flatMap((wire) => {
    const searcher = SEARCHERS[wire];
    const faults = Array.from({ length: FAULT_SLOTS }, (_, i) => ({
      model: `fault-${wire}-1.${i}`,
      wire,
      vendor: "custom",
    }));
    return [
      { model: `pair-${wire}-1.0`, wire, vendor: "custom" },
      ...(searcher
        ? [{ model: `search-${wire}-1.0`, wire, vendor: searcher, searches: true }]
        : []),
      // Of the vendors of this wire only some want their thoughts back.
      ...(wire === "chat" ? [{ model: "thinking-chat-1.0", wire, vendor: "openrouter" }] : []),
      ...faults,
    ];
  });
}

function configOf(vendorUrl: string): JsonObject {
  const channels = routes().map(({ model, wire, vendor }) => ({
    id: model.replace(/\.\d+$/, (end) => end.replace(".", "-")),
    vendor,
    base_url: `${vendorUrl}/${wire}/${wire === "gemini" ? "v1beta" : "v1"}`,
    keys: ["sk-of-the-vendor"],
    ...(vendor === "custom" ? { protocols: [wire] } : {}),
    models: { [model]: vendorModel(wire) },
  }));
  const models = routes().map(({ model, wire, searches }) =>
    modelEntry(model, wire, ...(searches ? ["web_search"] : [])),
  );
  return { channels, models };
}

/** Envelopes of ours, plain or in base64. No vendor may ever see one. */
const ENVELOPE = /fgs1\.|Zmd[sy]MS4/;

/** A gateway between every client and a vendor that speaks every wire. */
export async function pairHouse(parts: Parts) {
  const vendor = parts.keep(new PairVendor());
  const { server } = await serve(parts, { file: configOf(new URL(vendor.url).origin) });
  const { key } = await server.account("1000", "--rpm", "0");
  const access: Access = { root: server.url.replace(/\/v1$/, ""), key };
  const freeFaults = new Map<WireName, number>();
  let asked = 0;
  return {
    vendor,
    access,

    /** A model of a channel that nothing has happened to yet. */
    faultModel(wire: WireName): string {
      const next = freeFaults.get(wire) ?? 0;
      if (next >= FAULT_SLOTS) throw new Error(`there are too few slots of ${wire}`);
      freeFaults.set(wire, next + 1);
      return `fault-${wire}-1.${next}`;
    },

    /** One request of a client, and what the vendor understood of it. */
    async ask(client: Client, to: WireName, ask: Ask): Promise<{ told: Report; seen: Seen }> {
      asked++;
      const before = vendor.requests.length;
      const told = await client.ask(ask);
      expect(vendor.requests).toHaveLength(before + 1);
      const { wire, model, stream, body, text } = vendor.last;
      expect([wire, model, stream]).toEqual([to, vendorModel(to), ask.stream]);
      expect(text).not.toMatch(ENVELOPE);
      return { told, seen: SEEN_BY[wire](body) };
    },

    /** One request that fails, and how the client tells it. */
    async askInVain(client: Client, ask: Ask) {
      asked++;
      const thrown: unknown = await client.ask(ask).then(
        (told) => {
          throw new Error(`it was answered: ${JSON.stringify(told)}`);
        },
        (reason) => reason,
      );
      const fault = client.faultOf(thrown);
      if (!fault) throw thrown;
      return fault;
    },

    /** What an answer was charged for. */
    async receipt({ headers }: Report): Promise<JsonObject> {
      const response = await server.fetch(`/generation?id=${headers.requestId}`, key);
      expect(response.status).toBe(200);
      return (await response.json()) as JsonObject;
    },

    /** All is settled: each request has its receipt, nothing is held, the sums are right. */
    async expectRightBooks(): Promise<void> {
      const { receipts } = await expectRightBooks(server);
      expect(receipts).toBe(asked);
    },
  };
}

export type PairHouse = Awaited<ReturnType<typeof pairHouse>>;
