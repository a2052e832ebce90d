import type { ChunkedText } from "../../lib/text/chunked-text.ts";
import type { Http1Request } from "../http1/http1-call.ts";

/** Names that say how a message is framed or where it goes: whoever sets one has more in mind than a plain call. */
const FRAMING: readonly string[] = [
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];
const PLAIN_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const PLAIN_VALUE = /^[\t\x20-\x7e]*$/;
const NONE: readonly Uint8Array[] = [];
/** What an address does to none of its characters. */
const PLAIN_PATH =
  /^(?:\/[\w\-~!$'()*+,;=:@%][\w\-.~!$'()*+,;=:@%]*)+(?:\?[\w\-.~!$&()*+,;=:@%/?]*)?$/;

/** Whether these headers can be written as they are. */
export function isPlain(headers: Readonly<Record<string, string>>): boolean {
  return Object.entries(headers).every(
    ([name, value]) =>
      PLAIN_NAME.test(name) && !FRAMING.includes(name.toLowerCase()) && PLAIN_VALUE.test(value),
  );
}

function linesOf(headers: Headers): string {
  let lines = "";
  for (const [name, value] of headers) lines += `${name}: ${value}\r\n`;
  return lines;
}

/** Writes the calls of one key to one address: what is the same in all of them is written once. */
export class PlainRequests {
  readonly #address: string;
  readonly #prefix: string;
  readonly #headers: Headers;
  /** The lines of the headers that every call has. */
  readonly #lines: string;
  /** The last headers that a call had beside them, and the lines of both. */
  #extra = "";
  #extraLines: string;
  /** The last path and lines, and what the calls of both begin with. */
  #path = "";
  #pathLines = "";
  #beginning = "";

  /** The address has no slash at its end. */
  constructor(address: string, headers: Headers) {
    const url = new URL(address);
    this.#address = address;
    this.#prefix = url.pathname.replace(/\/$/, "");
    this.#headers = headers;
    this.#lines = `host: ${url.host}\r\n${linesOf(headers)}`;
    this.#extraLines = this.#lines;
  }

  /** A call of `path` below the address, with the headers that it alone has. */
  post(
    path: string,
    id: string,
    body: string | ChunkedText,
    extra?: Readonly<Record<string, string>>,
  ): Http1Request {
    const isWhole = typeof body === "string";
    const size = isWhole ? Buffer.byteLength(body) : body.bytes;
    const lines = extra ? this.#with(extra) : this.#lines;
    const beginning = this.#beginningOf(path, lines);
    const head = `${beginning}${id}\r\ncontent-length: ${size}\r\n\r\n`;
    if (!isWhole) return { text: head, bytes: head.length, more: body.chunks, isHead: false };
    return { text: head + body, bytes: head.length + size, more: NONE, isHead: false };
  }

  /** Most calls have the path of the one before. */
  #beginningOf(path: string, lines: string): string {
    if (path !== this.#path || lines !== this.#pathLines) {
      const text = `POST ${this.#target(path)} HTTP/1.1\r\n${lines}x-client-request-id: `;
      this.#path = path;
      this.#pathLines = lines;
      // Of one piece: else each call would put its pieces together anew.
      this.#beginning = Buffer.from(text, "latin1").toString("latin1");
    }
    return this.#beginning;
  }

  #target(path: string): string {
    if (PLAIN_PATH.test(path)) return this.#prefix + path;
    const { pathname, search } = new URL(this.#address + path);
    return pathname + search;
  }

  #with(extra: Readonly<Record<string, string>>): string {
    const said = JSON.stringify(extra);
    if (said === this.#extra) return this.#extraLines;
    if (!isPlain(extra)) throw new TypeError("a header of the call cannot be sent");
    const merged = new Headers(this.#headers);
    for (const [name, value] of Object.entries(extra)) merged.set(name, value);
    const host = this.#lines.slice(0, this.#lines.indexOf("\n") + 1);
    this.#extra = said;
    this.#extraLines = host + linesOf(merged);
    return this.#extraLines;
  }
}
