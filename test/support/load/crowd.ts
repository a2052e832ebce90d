import type { TestServer } from "../../server.ts";
import { type JsonObject, readEvents, type SseEvent, WIRES } from "../samples/wires.ts";

/** One of several servers on one database; another process may take its place. */
export interface Instance {
  server: TestServer;
  /** How often its process was killed. */
  kills: number;
  /** From the kill until another process has its place. */
  isDown: boolean;
}

/** An answer that its client has received to the last byte. */
export interface Received {
  readonly requestId: string;
  readonly responseId: string;
  readonly stream: boolean;
}

const PROMPT = "Write 20 words about the weather.";
/** Storage may be out when somebody asks, or all money spent; then a client is told so. */
const TOLD = [400, 429, 503];
const REST_MS = 50;

/** Whether a stream has come to its end, and not to that of a failure. */
function isWhole(events: readonly SseEvent[]): boolean {
  const isFault = ({ json }: SseEvent) =>
    json?.type === "error" || json?.type === "response.failed" || json?.error !== undefined;
  return events.at(-1)?.data === "[DONE]" && !events.some(isFault);
}

/** Clients that ask several servers in turn, whatever happens to those, until they are told to stop. */
export class Crowd {
  readonly answers: Received[] = [];
  /** Of a process that was killed meanwhile. */
  broken = 0;
  /** Told that it cannot be, by the status. */
  readonly refused = new Map<number, number>();
  /** What nobody has an excuse for. */
  readonly faults: string[] = [];
  #isOver = false;
  readonly #instances: readonly Instance[];
  readonly #clients: Promise<void>[];

  constructor(
    instances: readonly Instance[],
    keys: readonly string[],
    clients: number,
    eventMs: number,
  ) {
    this.#instances = instances;
    this.#clients = Array.from({ length: clients }, (_, i) => {
      return this.#client(i, keys[i % keys.length] ?? "", eventMs);
    });
  }

  async #client(i: number, key: string, eventMs: number): Promise<void> {
    for (let turn = i; !this.#isOver; turn++) {
      const instance = this.#instances[turn % this.#instances.length] as Instance;
      const { server, kills, isDown } = instance;
      if (isDown) {
        await Bun.sleep(REST_MS);
        continue;
      }
      const stream = i % 2 === 0;
      try {
        await this.#ask(server, key, { stream, eventMs, turn });
      } catch (thrown) {
        // A connection may only break where a process did.
        if (instance.kills > kills) this.broken += 1;
        else this.faults.push(String(thrown));
        await Bun.sleep(REST_MS);
      }
    }
  }

  async #ask(
    server: TestServer,
    key: string,
    { stream, eventMs, turn }: { stream: boolean; eventMs: number; turn: number },
  ): Promise<void> {
    const wire = WIRES[turn % WIRES.length];
    if (!wire) return;
    // All of a whole answer comes at once, after about as long as a stream takes.
    const delayMs = Math.round((stream ? eventMs : 25 * eventMs) * (0.5 + Math.random()));
    const headers = { "x-sandbox-fault": `delay_ms=${delayMs}` };
    const response = await server.post(wire.path, key, wire.request(PROMPT, { stream }), headers);
    const text = await response.text();
    const requestId = response.headers.get("x-request-id") ?? "";
    if (TOLD.includes(response.status)) {
      this.refused.set(response.status, (this.refused.get(response.status) ?? 0) + 1);
      await Bun.sleep(REST_MS);
      return;
    }
    if (response.status !== 200) throw new Error(`${requestId} ${response.status}: ${text}`);
    const events = stream ? readEvents(text) : [];
    if (stream && !isWhole(events)) throw new Error(`${requestId} was cut: ${text.slice(-300)}`);
    const first = stream ? events[0]?.json : (JSON.parse(text) as JsonObject);
    const answered = (first?.response ?? first) as JsonObject | undefined;
    this.answers.push({ requestId, responseId: String(answered?.id), stream });
  }

  /** Begins no further calls and waits for those that run. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#clients);
  }
}
