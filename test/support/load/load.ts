import type { TestServer } from "../../server.ts";
import { type JsonObject, readEvents, WIRES } from "../samples/wires.ts";

/** An answer that its client has received to the last byte. */
export interface FullAnswer {
  readonly requestId: string;
  readonly responseId: string;
  readonly stream: boolean;
}

/** How long the calls of a load take. */
interface Pace {
  readonly wholeMs: number;
  /** Before each event of a stream. */
  readonly eventMs: number;
}

const PROMPT = "Write 20 words about the weather.";
/** Of so many clients in a row, so many ask for streams. */
const STREAMS = { of: 10, are: 3 };

/** From half to one and a half of it: calls that all ended together would leave nothing between. */
function around(ms: number): number {
  return Math.round(ms * (0.5 + Math.random()));
}

function idOf(json: JsonObject | undefined): string | undefined {
  const response = json?.response as JsonObject | undefined;
  return (response?.id ?? json?.id) as string | undefined;
}

/** Clients that keep so many calls in flight, three of ten streams, until they are told to stop. */
export class Load {
  readonly answers: FullAnswer[] = [];
  /** Calls whose answer was cut off. */
  lost = 0;
  inFlight = 0;
  #stopped = false;
  readonly #server: TestServer;
  readonly #key: string;
  readonly #pace: Pace;
  readonly #clients: Promise<void>[];

  constructor(server: TestServer, key: string, clients: number, pace: Pace) {
    this.#server = server;
    this.#key = key;
    this.#pace = pace;
    this.#clients = Array.from({ length: clients }, (_, i) => this.#client(i));
  }

  async #client(i: number): Promise<void> {
    while (!this.#stopped) {
      this.inFlight++;
      const answer = await this.#call(i).finally(() => this.inFlight--);
      if (answer) this.answers.push(answer);
      else this.lost++;
      // Nobody is there any more; the next call would only be refused.
      if (!answer) return;
    }
  }

  /** One slow call; undefined when its answer did not arrive in full. */
  async #call(i: number): Promise<FullAnswer | undefined> {
    const stream = i % STREAMS.of < STREAMS.are;
    const wire = WIRES[Math.floor(i / STREAMS.of) % WIRES.length];
    if (!wire) return undefined;
    const { wholeMs, eventMs } = this.#pace;
    const headers = { "x-sandbox-fault": `delay_ms=${around(stream ? eventMs : wholeMs)}` };
    const body = wire.request(PROMPT, { stream });
    try {
      const response = await this.#server.post(wire.path, this.#key, body, headers);
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

  /** Begins no further calls and waits for those that run. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#clients);
  }
}
