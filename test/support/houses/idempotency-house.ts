import { expect } from "bun:test";
import { readKeySettings } from "../../../src/cli/key.ts";
import { TestServer } from "../../server.ts";
import type { Engine, Site } from "../../store/engines.ts";
import { expectRightBooks } from "../books.ts";
import { METRICS_PUBLIC } from "../gauges.ts";
import { FACES, type Face } from "../samples/faces.ts";
import { type JsonObject, StreamReader } from "../samples/wires.ts";
import {
  answer,
  MockVendor,
  pausedEvents,
  streamOf,
  VENDOR_KEY,
  type VendorCall,
} from "../vendors/mock-vendor.ts";
import { noHolds, type ReceiptRow, receipts } from "./database.ts";
import type { Parts } from "./house.ts";
import { startServer } from "./serving.ts";

export const MODEL = "gpt-6-luna";

const RESPONSES_FACE = FACES[0] as Face;
const QUESTION = "Tell me about foxes.";

interface Asking {
  readonly face?: Face;
  readonly stream?: boolean;
  readonly key?: string;
  /** Another path than the face's. */
  readonly path?: string;
  /** Members of the body beside the face's own. */
  readonly more?: JsonObject;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
  readonly server?: TestServer;
}

/** What a client received, in full. */
export interface Heard {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A gateway in front of a vendor that counts its calls, on a database that outlives the process. */
export class IdempotencyHouse {
  readonly database: Site;
  readonly vendor: MockVendor;
  readonly #settings: Record<string, string>;
  readonly #process: boolean;
  #server: TestServer | undefined;
  #ids = { accountId: "", keyId: "" };
  readonly #seen = new Set<string>();
  key = "";

  private constructor(
    parts: Parts,
    database: Site,
    settings: Record<string, string>,
    process: boolean,
  ) {
    this.database = database;
    this.#process = process;
    this.vendor = parts.keep(new MockVendor());
    this.#settings = {
      ...database.settings,
      ...this.vendor.settings,
      MOONSHOT_API_KEY: VENDOR_KEY,
      MOONSHOT_BASE_URL: this.vendor.url,
      // Vendors fail on purpose here: once is enough, and the next test has its vendor.
      FAREGATE_RETRIES_MAX: "0",
      ...METRICS_PUBLIC,
      FAREGATE_CHANNEL_ATTEMPTS_MIN: "100000",
      ...settings,
    };
  }

  static async open(
    parts: Parts,
    engine: Engine,
    settings: Record<string, string> = {},
    /** For what is about the process. */
    { process = false } = {},
  ): Promise<IdempotencyHouse> {
    const house = new IdempotencyHouse(parts, await engine.site(parts), settings, process);
    const server = await house.start();
    parts.defer(() => house.#close());
    const { key, ...ids } = await server.account("100", "--rpm", "0");
    house.key = key;
    house.#ids = ids;
    return house;
  }

  /** The books are right in the end, whatever was tried. */
  async #close(): Promise<void> {
    try {
      await noHolds(this.database);
      await expectRightBooks(this.server);
      expect(await this.server.stop()).toBe(0);
    } finally {
      await this.server.kill();
    }
  }

  get server(): TestServer {
    if (!this.#server) throw new Error("the server does not run");
    return this.#server;
  }

  async start(): Promise<TestServer> {
    this.#server = await (this.#process ? this.beside() : startServer(this.#settings));
    return this.#server;
  }

  /** One more process on the same database, for the caller to end. */
  beside(): Promise<TestServer> {
    return TestServer.start(this.#settings);
  }

  /** One more key of the same account. */
  async newKey(...settings: string[]): Promise<string> {
    const terms = { ...readKeySettings(["--rpm", "0", ...settings]), name: "t" };
    const { accountId } = this.#ids;
    const made = await this.server.beside(({ accounts }) => accounts.createKey(accountId, terms));
    if (!made) throw new Error("there is no account for the key");
    return made.key;
  }

  /** The rows of the first key, since the last time that they were asked for. */
  async newRows(): Promise<ReceiptRow[]> {
    const all = await receipts(this.database);
    const rows = all.filter(({ id, keyId }) => keyId === this.#ids.keyId && !this.#seen.has(id));
    for (const { id } of rows) this.#seen.add(id);
    return rows;
  }

  ask(value: string | undefined, asking: Asking = {}): Promise<Response> {
    const { face = RESPONSES_FACE, stream = false, key = this.key, signal } = asking;
    const { server = this.server, path = face.path(MODEL, stream) } = asking;
    const shown = face.keyHeader === "authorization" ? `Bearer ${key}` : key;
    return fetch(server.url.replace(/\/v1$/, "") + path, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        [face.keyHeader]: shown,
        ...(value === undefined ? {} : { "Idempotency-Key": value }),
        ...asking.headers,
      },
      body: JSON.stringify({
        ...face.body(MODEL, stream, QUESTION),
        ...asking.more,
      }),
      ...(signal ? { signal } : {}),
    });
  }

  async hear(value: string | undefined, asking: Asking = {}): Promise<Heard> {
    const response = await this.ask(value, asking);
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  /** A stream of Responses that is read piece by piece, with the body that `ask` sends. */
  openStream(value: string, more: JsonObject = {}): Promise<StreamReader> {
    const body = { ...RESPONSES_FACE.body(MODEL, true, QUESTION), ...more };
    const headers = { "Idempotency-Key": value };
    return StreamReader.open(this.server, "/responses", this.key, body, headers);
  }

  /** Whether a response is stored. */
  async hasStored(id: string): Promise<boolean> {
    const rows = await this.database.run(`select id from responses where id = '${id}'`);
    return rows.length === 1;
  }
}

export const wordOf = ({ headers }: Heard) => headers.get("x-faregate-idempotency");
export const idOf = ({ headers }: Heard) => headers.get("x-request-id") ?? "";

export function expectFirst(heard: Heard): void {
  expect([heard.status, wordOf(heard)]).toEqual([200, "first"]);
}

/** The same answer, and whose it is. */
export function expectReplay(again: Heard, first: Heard): void {
  expect(again.text).toBe(first.text);
  expectReplayHead(again, first);
}

/** The same without the text. */
export function expectReplayHead(again: Heard, first: Heard): void {
  expect([again.status, wordOf(again)]).toEqual([first.status, "replay"]);
  for (const name of ["content-type", "x-faregate-cost", "x-faregate-dropped", "cache-control"]) {
    expect([name, again.headers.get(name)]).toEqual([name, first.headers.get(name)]);
  }
  expect(again.headers.get("x-faregate-receipt")).toBe(idOf(first));
  expect(idOf(again)).not.toBe(idOf(first));
}

/** A vendor that answers, or does something else, once it is told to. */
export function gated(then: (call: VendorCall) => Response = answer) {
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const script = async (call: VendorCall) => {
    if (call.body.stream && then === answer) return streamOf(pausedEvents(call, gate));
    await gate;
    return then(call);
  };
  return { script, open };
}

/** A vendor that fails. */
export const fails = () => Response.json({ error: { message: "no" } }, { status: 500 });
