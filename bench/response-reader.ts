// Reads HTTP/1.1 responses from the bytes of one keep-alive connection.
//
// The load generator shares two cores with what it measures, so it speaks to the socket itself
// instead of paying for a full client.

export interface ReceivedResponse {
  status: number;
  /** Names in lower case. */
  headers: Map<string, string>;
  body: string;
}

type Stage = "head" | "length" | "chunk-size" | "chunk-data" | "trailers";

const LINE_END = "\r\n";

/** Answers that have no body, and say nothing of its length. */
const BODILESS: ReadonlySet<number> = new Set([204, 304]);

/** One reader per connection. Pipelining is not supported: one response is awaited at a time. */
export class ResponseReader {
  #stage: Stage = "head";
  /** Bytes that were received and not yet used, one character per byte. */
  #pending = "";
  #body = "";
  #wanted_bytes = 0;
  #status = 0;
  #headers = new Map<string, string>();

  /** True once a byte of the current response's body has arrived. */
  get bodyStarted(): boolean {
    return this.#body.length > 0;
  }

  /** Takes what the socket delivered and returns the response if these bytes complete it. */
  feed(bytes: Uint8Array): ReceivedResponse | null {
    this.#pending += Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
    while (this.#step()) {
      if (this.#stage !== "head") continue;
      if (this.#pending !== "") throw new Error("bytes after the end of a response");
      return this.#take();
    }
    return null;
  }

  /** Uses up one part of the pending bytes; false when more bytes are needed. */
  #step(): boolean {
    switch (this.#stage) {
      case "head":
        return this.#readHead();
      case "length":
        return this.#readData("head");
      case "chunk-size":
        return this.#readChunkSize();
      case "chunk-data":
        return this.#readChunkData();
      case "trailers":
        return this.#readTrailer();
    }
  }

  #readHead(): boolean {
    const end = this.#pending.indexOf(LINE_END + LINE_END);
    if (end < 0) return false;
    const [statusLine = "", ...lines] = this.#pending.slice(0, end).split(LINE_END);
    this.#pending = this.#pending.slice(end + 4);
    const status = /^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1];
    if (!status) throw new Error(`not a status line: ${statusLine.slice(0, 80)}`);
    this.#status = Number(status);
    for (const line of lines) {
      const colon = line.indexOf(":");
      this.#headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
    }
    if (this.#headers.get("transfer-encoding") === "chunked") {
      this.#stage = "chunk-size";
      return true;
    }
    const length =
      this.#headers.get("content-length") ?? (BODILESS.has(this.#status) ? "0" : undefined);
    if (length === undefined) throw new Error("a response with neither length nor chunks");
    this.#wanted_bytes = Number(length);
    this.#stage = "length";
    return true;
  }

  /** Moves body bytes over; goes to `next` and returns true when all wanted ones are there. */
  #readData(next: Stage): boolean {
    const part = this.#pending.slice(0, this.#wanted_bytes);
    this.#body += part;
    this.#pending = this.#pending.slice(part.length);
    this.#wanted_bytes -= part.length;
    if (this.#wanted_bytes > 0) return false;
    this.#stage = next;
    return true;
  }

  #readLine(): string | null {
    const end = this.#pending.indexOf(LINE_END);
    if (end < 0) return null;
    const line = this.#pending.slice(0, end);
    this.#pending = this.#pending.slice(end + 2);
    return line;
  }

  #readChunkSize(): boolean {
    const line = this.#readLine();
    if (line === null) return false;
    const size = /^[0-9a-f]+/i.exec(line)?.[0];
    if (!size) throw new Error(`not a chunk size: ${line.slice(0, 80)}`);
    this.#wanted_bytes = Number.parseInt(size, 16);
    this.#stage = this.#wanted_bytes === 0 ? "trailers" : "chunk-data";
    return true;
  }

  #readChunkData(): boolean {
    if (this.#wanted_bytes > 0 && !this.#readData("chunk-data")) return false;
    if (this.#pending.length < 2) return false;
    if (!this.#pending.startsWith(LINE_END)) throw new Error("a chunk longer than its size");
    this.#pending = this.#pending.slice(2);
    this.#stage = "chunk-size";
    return true;
  }

  #readTrailer(): boolean {
    const line = this.#readLine();
    if (line === null) return false;
    if (line === "") this.#stage = "head";
    return true;
  }

  #take(): ReceivedResponse {
    const body = Buffer.from(this.#body, "latin1").toString("utf8");
    const response = { status: this.#status, headers: this.#headers, body };
    this.#headers = new Map();
    this.#body = "";
    return response;
  }
}
