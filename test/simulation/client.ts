import type { Services } from "../../src/gateway/services.ts";
import { Fault } from "../../src/lib/faults.ts";
import type { Route } from "../../src/lib/route.ts";
import { type PlannedRequest, requestOf } from "./planned-requests.ts";
import type { Moment, VirtualTime } from "./time.ts";
import { NOTHING_READ, readAnswer } from "./views.ts";

interface Left extends Moment {
  /** As many answers as may be were being read to their end for nobody. */
  readonly drainsFull: boolean;
}

/** How long a client that takes nothing more stays connected. */
const STAYS_MS = 120_000;

function readerOf({ body }: Response): ReadableStreamDefaultReader<Uint8Array> | undefined {
  return (body as ReadableStream<Uint8Array> | null)?.getReader() as
    | ReadableStreamDefaultReader<Uint8Array>
    | undefined;
}

/** One client: it sends a request, reads at its own pace, and may be gone at any moment. */
export class Client {
  readonly planned: PlannedRequest;
  readonly startedAtMs: number;
  readonly #services: Services;
  readonly #time: VirtualTime;
  readonly #abort = new AbortController();
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  #answer: Response | undefined;
  #bytes: Uint8Array[] = [];

  left: Left | undefined;
  /** It has stopped to read, and the gateway has to notice. */
  stopped = false;
  fault: Fault | undefined;
  /** The connection broke instead of ending. */
  broken = false;
  /** The answer was read to its very end. */
  readToEnd = false;
  endedAtMs: number | undefined;
  /** Called when the client has an answer that says it is whole, before anything else happens. */
  onSuccess: () => void = () => {};

  constructor(planned: PlannedRequest, services: Services, time: VirtualTime) {
    this.planned = planned;
    this.#services = services;
    this.#time = time;
    this.startedAtMs = time.clock();
  }

  get text(): string {
    return Buffer.concat(this.#bytes).toString();
  }

  /** What the client makes of what it got. */
  get reading() {
    const { wire, stream } = this.planned;
    if (this.fault || (!stream && !this.readToEnd)) return NOTHING_READ;
    return readAnswer(wire, stream, this.text);
  }

  async run(routes: readonly Route[]): Promise<void> {
    const { leaving } = this.planned;
    if (leaving.how === "after_ms") this.#time.after(leaving.ms, () => this.#leave());
    try {
      this.#answer = await this.#send(routes);
      this.#reader = readerOf(this.#answer);
      if (this.left) await this.#reader?.cancel();
      else await this.#read();
    } catch (thrown) {
      if (thrown instanceof Fault) this.fault = thrown;
      else if (this.#answer) this.broken = true;
      else throw thrown;
    } finally {
      this.endedAtMs = this.#time.clock();
    }
    if (this.stopped) this.#time.after(STAYS_MS, () => this.#leave());
  }

  #send(routes: readonly Route[]): Promise<Response> {
    const sent = requestOf(this.planned);
    const body = JSON.stringify(sent.body);
    const length = String(Buffer.byteLength(body));
    const headers = { "content-type": "application/json", "content-length": length };
    const request = new Request(sent.url, {
      method: "POST",
      headers: { ...headers, ...sent.headers },
      body,
      signal: this.#abort.signal,
    });
    const route = routes.find(({ method, path }) => method === "POST" && path === sent.path);
    if (!route) throw new Error(`no route ${sent.path}`);
    return route.handle({
      request,
      requestId: this.planned.id,
      url: new URL(sent.url),
      params: sent.params,
      keepOpen() {},
      isBeingAnswered: () => false,
      address: () => "127.0.0.1",
    });
  }

  async #read(): Promise<void> {
    const { leaving, readPauseMs } = this.planned;
    const most = "chunks" in leaving ? leaving.chunks : Number.POSITIVE_INFINITY;
    for (let chunks = 0; chunks < most; chunks++) {
      if (readPauseMs > 0) await this.#time.sleep(readPauseMs);
      if (this.left) return;
      const chunk = await this.#reader?.read();
      if (this.left) return;
      if (!chunk || chunk.done) {
        this.readToEnd = true;
        if (!this.planned.stream) this.#sawSuccess();
        return;
      }
      this.#bytes.push(chunk.value);
      if (this.planned.stream) this.#sawSuccess();
    }
    if (leaving.how === "stops_reading") this.stopped = true;
    else this.#leave();
  }

  #sawSuccess(): void {
    if (this.reading.succeeded) this.onSuccess();
  }

  /** A server tells the gateway in this order when a connection is lost. */
  #leave(): void {
    if (this.left || this.readToEnd || this.fault || this.broken) return;
    const { drains, limits } = this.#services;
    const drainsFull = drains.running >= limits.drains_max;
    this.left = { ...this.#time.now(), drainsFull };
    this.#abort.abort();
    this.#reader?.cancel().catch(() => {});
  }
}
