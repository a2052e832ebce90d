import { createServer, type Server, type Socket } from "node:net";
import type { JsonObject } from "../samples/wires.ts";
import { eventually } from "../waiting.ts";

/** A call as it came over the socket. */
export interface RawCall {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly json: JsonObject;
}

export type Script = (call: RawCall, reply: Reply) => void | Promise<void>;

const HEAD_END = "\r\n\r\n";
const REASON = "As Scripted";

/** The vendor's side of one call: any bytes, at any time, ended in any way. */
export class Reply {
  readonly #socket: Socket;
  readonly #passedOn: () => string;
  #ended = false;
  #chunked = false;

  constructor(socket: Socket, passedOn: () => string) {
    this.#socket = socket;
    this.#passedOn = passedOn;
  }

  /** Whether the vendor has said all it will: the connection can serve another call. */
  get ended(): boolean {
    return this.#ended;
  }

  get open(): boolean {
    return !this.#socket.destroyed;
  }

  /** Waits until the client of whoever called has these words. */
  async isPassedOn(words: string): Promise<void> {
    await eventually("the client has it", () => this.#passedOn().includes(words));
  }

  raw(bytes: string | Uint8Array): void {
    if (this.open) this.#socket.write(bytes);
  }

  head(status: number, headers: Record<string, string> = {}): void {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    this.raw(`HTTP/1.1 ${status} ${REASON}\r\n${lines.join("")}\r\n`);
  }

  /** A whole answer of known length. */
  whole(status: number, body: string | Uint8Array, headers: Record<string, string> = {}): void {
    const length = String(Buffer.byteLength(body));
    this.head(status, { "content-type": "application/json", "content-length": length, ...headers });
    this.raw(body);
    this.#ended = true;
  }

  /** The head of a body whose length nobody knows yet. */
  begin(type: string, headers: Record<string, string> = {}): void {
    this.head(200, { "content-type": type, "transfer-encoding": "chunked", ...headers });
    this.#chunked = true;
  }

  write(bytes: string | Uint8Array): void {
    const body = Buffer.from(bytes as Uint8Array);
    this.raw(Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, CRLF]));
  }

  /** The body is over as it should be. */
  end(): void {
    if (this.#chunked) this.raw("0\r\n\r\n");
    this.#ended = true;
  }

  /** The connection is over, whatever was promised. */
  cut(): void {
    this.#socket.end();
    this.#socket.destroySoon();
  }

  reset(): void {
    this.#socket.resetAndDestroy();
  }
}

const CRLF = Buffer.from("\r\n");

function headersOf(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(":");
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
    }),
  );
}

/** The first whole call of what has come, and what follows it. */
function takeCall(bytes: Buffer): { call: RawCall; rest: Buffer } | undefined {
  const at = bytes.indexOf(HEAD_END);
  if (at < 0) return undefined;
  const [first = "", ...lines] = bytes.toString("latin1", 0, at).split("\r\n");
  const [method = "", path = ""] = first.split(" ");
  const headers = headersOf(lines);
  const from = at + HEAD_END.length;
  const to = from + Number(headers["content-length"] ?? 0);
  if (bytes.length < to) return undefined;
  const text = bytes.toString("utf8", from, to);
  const json = text.startsWith("{") ? (JSON.parse(text) as JsonObject) : {};
  return { call: { method, path, headers, text, json }, rest: bytes.subarray(to) };
}

/**
 * A vendor on bare sockets. Scripts are chosen by the first piece of the path, so that one vendor
 * plays a different part for each of many channels.
 */
export class ScriptedVendor {
  readonly #server: Server;
  readonly #scripts = new Map<string, Script>();
  /** Those that may still be unfinished. */
  #replies: Reply[] = [];
  readonly #sockets = new Set<Socket>();
  /** Answers of the list of models, by the same piece of the path; nobody else is listed. */
  readonly lists = new Map<string, () => JsonObject | undefined>();
  /** All but questions for the list of models. */
  readonly calls: RawCall[] = [];
  /** What the client of the last call has of its answer. */
  passedOn = "";
  #port = 0;

  private constructor() {
    this.#server = createServer((socket) => this.#serve(socket));
  }

  static async start(): Promise<ScriptedVendor> {
    const vendor = new ScriptedVendor();
    await new Promise<void>((resolve) => vendor.#server.listen(0, "127.0.0.1", resolve));
    const address = vendor.#server.address();
    vendor.#port = typeof address === "object" && address ? address.port : 0;
    return vendor;
  }

  /** The base address of one part. */
  url(part: string): string {
    return `http://127.0.0.1:${this.#port}/${part}`;
  }

  play(part: string, script: Script): void {
    this.#scripts.set(part, script);
  }

  callsOf(part: string): RawCall[] {
    return this.calls.filter((call) => partOf(call.path) === part);
  }

  /** Calls that the vendor has not ended and nobody has hung up on. */
  get unfinished(): number {
    this.#replies = this.#replies.filter((reply) => !reply.ended && reply.open);
    return this.#replies.length;
  }

  get openSockets(): number {
    return this.#sockets.size;
  }

  #serve(socket: Socket): void {
    let bytes: Buffer = Buffer.alloc(0);
    this.#sockets.add(socket);
    socket.setNoDelay(true);
    socket.on("error", () => {});
    socket.on("close", () => this.#sockets.delete(socket));
    socket.on("data", (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      for (let taken = takeCall(bytes); taken; taken = takeCall(bytes)) {
        bytes = taken.rest;
        this.#answer(taken.call, new Reply(socket, () => this.passedOn));
      }
    });
  }

  #answer(call: RawCall, reply: Reply): void {
    this.#replies.push(reply);
    const part = partOf(call.path);
    if (call.method === "GET") {
      const list = this.lists.get(part)?.();
      reply.whole(list ? 200 : 503, JSON.stringify(list ?? {}));
      return;
    }
    this.calls.push(call);
    const script = this.#scripts.get(part);
    if (script) void script(call, reply);
    else reply.whole(500, `{"error":{"message":"no script for ${part}"}}`);
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

function partOf(path: string): string {
  return path.split("/")[1] ?? "";
}
