import type { TestServer } from "../server.ts";
import { type JsonObject, readEvents, WIRES } from "./samples/wires.ts";

/** An answer that its client has received to the last byte. */
export interface FullAnswer {
  readonly requestId: string;
  readonly responseId: string;
  readonly stream: boolean;
}

const PROMPT = "Write 20 words about the weather.";
/** Pauses that make a call last for some hundred milliseconds, whole or as a stream. */
const WHOLE_DELAY_MS = 400;
const EVENT_DELAY_MS = 12;

/** From half to one and a half of it: calls that all ended together would leave nothing between. */
function around(ms: number): number {
  return Math.round(ms * (0.5 + Math.random()));
}

function idOf(json: JsonObject | undefined): string | undefined {
  const response = json?.response as JsonObject | undefined;
  return (response?.id ?? json?.id) as string | undefined;
}

/** One slow call; undefined when its answer did not arrive in full. */
async function call(server: TestServer, key: string, i: number): Promise<FullAnswer | undefined> {
  const stream = i % 2 === 0;
  const wire = WIRES[Math.floor(i / 2) % WIRES.length];
  if (!wire) return undefined;
  const delayMs = around(stream ? EVENT_DELAY_MS : WHOLE_DELAY_MS);
  const headers = { "x-sandbox-fault": `delay_ms=${delayMs}` };
  const body = wire.request(PROMPT, { stream });
  try {
    const response = await server.post(wire.path, key, body, headers);
    const requestId = response.headers.get("x-request-id") ?? "";
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${response.status}: ${text}`);
    if (stream && !text.endsWith("data: [DONE]\n\n")) return undefined;
    const first = stream ? readEvents(text)[0]?.json : (JSON.parse(text) as JsonObject);
    return { requestId, responseId: idOf(first) ?? "", stream };
  } catch (thrown) {
    // A connection that broke is what these tests are about; an answer that refuses is not.
    if (thrown instanceof Error && /^\d{3}: /.test(thrown.message)) throw thrown;
    return undefined;
  }
}

/** Clients that keep so many calls in flight, half of them streams, until they are told to stop. */
export class Load {
  readonly answers: FullAnswer[] = [];
  /** Calls whose answer was cut off. */
  lost = 0;
  inFlight = 0;
  #stopped = false;
  readonly #clients: Promise<void>[];

  constructor(server: TestServer, key: string, clients: number) {
    this.#clients = Array.from({ length: clients }, (_, i) => this.#client(server, key, i));
  }

  async #client(server: TestServer, key: string, i: number): Promise<void> {
    while (!this.#stopped) {
      this.inFlight++;
      const answer = await call(server, key, i).finally(() => this.inFlight--);
      if (answer) this.answers.push(answer);
      else this.lost++;
      // Nobody is there any more; the next call would only be refused.
      if (!answer) return;
    }
  }

  /** Begins no further calls and waits for those that run. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#clients);
  }
}
