// The load generator: a fixed number of keep-alive connections that each ask, wait and ask again.
import type { Socket } from "bun";
import { type ReceivedResponse, ResponseReader } from "./response-reader.ts";

export interface LoadPlan {
  /** Who is asked, for the message of a failed run. */
  name: string;
  port: number;
  /** The bytes of one whole request, head and body. */
  request: Uint8Array;
  connections: number;
  requests: number;
  deadlineMs: number;
  /** Throws when the answer is not the expected one. */
  check: (response: ReceivedResponse) => void;
}

export interface LoadResult {
  elapsedMs: number;
  latenciesMs: number[];
  /** Until the first byte of a body, which for a stream is its first event. */
  firstByteMs: number[];
  /** How many deliveries of the socket all answers took; shows whether chunks were merged. */
  reads: number;
  /** The most answers that had begun and not ended at one time. */
  answeringPeak: number;
}

interface Connection {
  reader: ResponseReader;
  sentAtMs: number;
  /** Asked, and not yet answered in full. */
  waiting: boolean;
  started: boolean;
}

/** Connections are opened in groups, since a listen queue holds only so many. */
const OPENING_MAX = 128;

/** Builds the bytes of a request for `port`. */
export function postRequest(
  port: number,
  path: string,
  key: string,
  body: string,
  headers: Record<string, string> = {},
): Uint8Array {
  const lines = [
    `POST ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${key}`,
    "Content-Type: application/json",
    "Accept: */*",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return new TextEncoder().encode(`${lines.join("\r\n")}\r\n\r\n${body}`);
}

/** Runs the plan to its end. One wrong answer, lost connection or missed deadline rejects it. */
export async function runLoad(plan: LoadPlan): Promise<LoadResult> {
  const run = new LoadRun(plan);
  const deadline = setTimeout(() => run.fail(new Error("deadline passed")), plan.deadlineMs);
  try {
    const opened = run.open();
    // Whichever fails first is the error; the other is then closed below.
    await Promise.race([opened.then(() => run.done), run.done]);
    return run.result();
  } finally {
    clearTimeout(deadline);
    run.close();
  }
}

class LoadRun {
  readonly #plan: LoadPlan;
  readonly #finish = Promise.withResolvers<void>();
  readonly #sockets = new Set<Socket<Connection>>();
  readonly #latenciesMs: number[] = [];
  readonly #firstByteMs: number[] = [];
  #sent = 0;
  #reads = 0;
  #answering = 0;
  #answeringPeak = 0;
  #startedAtMs = 0;
  #endedAtMs = 0;
  #over = false;

  constructor(plan: LoadPlan) {
    this.#plan = plan;
    // The rejection is handled where `done` is awaited; without this an early one would be reported.
    this.#finish.promise.catch(() => {});
  }

  get done(): Promise<void> {
    return this.#finish.promise;
  }

  async open(): Promise<void> {
    for (let opened = 0; opened < this.#plan.connections && !this.#over; opened += OPENING_MAX) {
      const group = Math.min(OPENING_MAX, this.#plan.connections - opened);
      await Promise.all(Array.from({ length: group }, () => this.#connect()));
    }
  }

  async #connect(): Promise<void> {
    await Bun.connect<Connection>({
      hostname: "127.0.0.1",
      port: this.#plan.port,
      data: { reader: new ResponseReader(), sentAtMs: 0, waiting: false, started: false },
      socket: {
        open: (socket) => {
          if (this.#over) {
            socket.end();
            return;
          }
          this.#sockets.add(socket);
          socket.setNoDelay(true);
          this.#ask(socket);
        },
        data: (socket, bytes) => this.#receive(socket, bytes),
        close: (socket) => {
          this.#sockets.delete(socket);
          // One that has nothing left to ask is idle, and servers close idle ones.
          if (socket.data.waiting) this.fail(new Error("the server closed a connection"));
        },
        error: (_socket, error) => this.fail(error),
      },
    });
  }

  #ask(socket: Socket<Connection>): void {
    if (this.#sent === this.#plan.requests) return;
    this.#sent += 1;
    const now = performance.now();
    if (this.#sent === 1) this.#startedAtMs = now;
    socket.data.sentAtMs = now;
    socket.data.waiting = true;
    socket.data.started = false;
    const { request } = this.#plan;
    if (socket.write(request) !== request.length) this.fail(new Error("a request was not sent"));
  }

  #receive(socket: Socket<Connection>, bytes: Uint8Array): void {
    if (this.#over) return;
    this.#reads += 1;
    const connection = socket.data;
    try {
      const response = connection.reader.feed(bytes);
      if (!connection.started && (response || connection.reader.bodyStarted)) {
        connection.started = true;
        this.#firstByteMs.push(performance.now() - connection.sentAtMs);
        this.#answering += 1;
        this.#answeringPeak = Math.max(this.#answeringPeak, this.#answering);
      }
      if (!response) return;
      this.#endedAtMs = performance.now();
      connection.waiting = false;
      this.#answering -= 1;
      this.#latenciesMs.push(this.#endedAtMs - connection.sentAtMs);
      this.#plan.check(response);
    } catch (error) {
      this.fail(error);
      return;
    }
    if (this.#latenciesMs.length === this.#plan.requests) this.#finish.resolve();
    else this.#ask(socket);
  }

  fail(error: unknown): void {
    if (this.#over) return;
    const reason = error instanceof Error ? error.message : String(error);
    const answered = `${this.#latenciesMs.length} of ${this.#plan.requests} answered`;
    this.#finish.reject(new Error(`${reason} (${this.#plan.name}, ${answered})`));
  }

  close(): void {
    this.#over = true;
    for (const socket of this.#sockets) socket.end();
    this.#sockets.clear();
  }

  result(): LoadResult {
    return {
      elapsedMs: this.#endedAtMs - this.#startedAtMs,
      latenciesMs: this.#latenciesMs,
      firstByteMs: this.#firstByteMs,
      reads: this.#reads,
      answeringPeak: this.#answeringPeak,
    };
  }
}
