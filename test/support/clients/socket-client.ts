import { expect } from "bun:test";
import type { Frame } from "../../conformance/frames.ts";
import type { TestServer } from "../../server.ts";
import type { MockHouse } from "../houses/serving.ts";
import type { JsonObject } from "../samples/wires.ts";
import { VENDOR_TEXT } from "../vendors/mock-vendor.ts";
import { eventually } from "../waiting.ts";
import { RawClient } from "./raw-client.ts";

/** How a connection ended. */
interface Ended {
  readonly code: number;
  readonly reason: string;
}

const TERMINAL = ["response.completed", "response.incomplete", "response.failed"];

/** Whether nothing more comes of a turn. A refusal says its status, an event of a stream does not. */
function isTerminal(message: JsonObject): boolean {
  if (message.type === "error") return message.status !== undefined;
  return TERMINAL.includes(String(message.type));
}

/** What came back for one `response.create`. */
export class SocketTurn {
  readonly messages: readonly JsonObject[];

  constructor(messages: readonly JsonObject[]) {
    this.messages = messages;
  }

  get last(): JsonObject {
    return this.messages.at(-1) ?? {};
  }

  get response(): JsonObject {
    return (this.last.response ?? {}) as JsonObject;
  }

  /** The id to go on from. */
  get id(): string {
    return String(this.response.id);
  }

  get status(): unknown {
    return this.response.status ?? this.last.status;
  }

  get text(): string {
    return String(this.response.output_text);
  }

  get code(): unknown {
    return (this.last.error as JsonObject | undefined)?.code;
  }

  /** The same events as a stream over HTTP would have framed them. */
  get frames(): Frame[] {
    const frames: Frame[] = this.messages.map((message) => ({
      event: String(message.type),
      data: JSON.stringify(message),
    }));
    return [...frames, { event: undefined, data: "[DONE]" }];
  }
}

/** A client of `ws://…/v1/responses` that keeps what it hears in order. */
export class SocketClient {
  readonly #socket: WebSocket;
  readonly #heard: JsonObject[] = [];
  readonly ended: Promise<Ended>;
  #over = false;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    const { promise, resolve } = Promise.withResolvers<Ended>();
    this.ended = promise;
    socket.addEventListener("message", ({ data }) => this.#heard.push(JSON.parse(String(data))));
    socket.addEventListener("close", ({ code, reason }) => {
      this.#over = true;
      resolve({ code, reason });
    });
  }

  static async open(
    server: TestServer,
    key: string,
    headers: Record<string, string> = {},
  ): Promise<SocketClient> {
    const socket = new WebSocket(`${server.url.replace("http", "ws")}/responses`, {
      headers: { authorization: `Bearer ${key}`, ...headers },
    });
    const client = new SocketClient(socket);
    const opened = Promise.withResolvers<void>();
    socket.addEventListener("open", () => opened.resolve());
    socket.addEventListener("error", () => opened.reject(new Error("the handshake failed")));
    await opened.promise;
    return client;
  }

  /** What was heard and not taken yet. */
  get heard(): readonly JsonObject[] {
    return this.#heard;
  }

  send(message: string | Uint8Array | JsonObject): void {
    const raw = typeof message === "string" || message instanceof Uint8Array;
    this.#socket.send(raw ? message : JSON.stringify(message));
  }

  create(body: JsonObject): void {
    this.send({ type: "response.create", ...body });
  }

  /** Waits for a message that fits, which stays to be taken with its turn. */
  hears(fits: (message: JsonObject) => boolean): Promise<JsonObject> {
    return eventually("the socket says what is expected", () => this.#heard.find(fits));
  }

  /** Takes everything up to the end of the next turn. */
  async take(): Promise<SocketTurn> {
    const end = await eventually("a turn on the socket ends", () => {
      const index = this.#heard.findIndex(isTerminal);
      if (index < 0 && this.#over) throw new Error("the connection closed inside a turn");
      return index >= 0 && index + 1;
    });
    return new SocketTurn(this.#heard.splice(0, end));
  }

  turn(body: JsonObject): Promise<SocketTurn> {
    this.create(body);
    return this.take();
  }

  async close(): Promise<void> {
    this.#socket.close();
    await this.ended;
  }

  /** Gone without a word. */
  leave(): void {
    this.#socket.terminate();
  }
}

/** The head of a handshake. */
export function handshakeLines(headers: Readonly<Record<string, string>>): string {
  const lines = [
    "GET /v1/responses HTTP/1.1",
    "host: 127.0.0.1",
    "connection: Upgrade",
    "upgrade: websocket",
    "sec-websocket-version: 13",
    `sec-websocket-key: ${btoa("sixteen bytes ok")}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  return `${lines.join("\r\n")}\r\n\r\n`;
}

/** A handshake by hand, so that a refusal of it can be read. */
export async function shakeHands(
  server: TestServer,
  headers: Record<string, string>,
): Promise<Response> {
  const client = await RawClient.connect(server.url);
  client.send(handshakeLines(headers));
  const text = await eventually("the handshake is answered", () => {
    const [head, body] = client.text.split("\r\n\r\n");
    const length = Number(/content-length: (\d+)/i.exec(head ?? "")?.[1] ?? 0);
    return body !== undefined && Buffer.byteLength(body) >= length && client.text;
  });
  client.leave();
  const [head = "", body = ""] = text.split("\r\n\r\n");
  const [first = "", ...rest] = head.split("\r\n");
  const status = Number(first.split(" ")[1]);
  const pairs = rest.map((line) => line.split(": ") as [string, string]);
  // A Response cannot have the status of a connection that was taken.
  if (status === 101) return new Response(null, { status: 200, headers: { upgraded: "yes" } });
  return new Response(body, { status, headers: pairs });
}

export const connect = ({ server, key }: MockHouse) => SocketClient.open(server, key);

/** What the vendor said, from its first event to its last, and nothing of another turn. */
export function expectWhole(turn: SocketTurn): void {
  const types = turn.messages.map(({ type }) => type).filter((type) => type !== "keepalive");
  expect([types[0], types.at(-1)]).toEqual(["response.created", "response.completed"]);
  expect(types.filter((type) => type === "response.created")).toHaveLength(1);
  expect(turn.status).toBe("completed");
  expect(turn.text).toBe(VENDOR_TEXT.join(""));
}
