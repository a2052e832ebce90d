import { ConnectionMemory } from "../conversations/connection-memory.ts";
import { MemoryBudget } from "../conversations/memory-budget.ts";
import { asFault, Fault } from "../lib/faults.ts";
import { newId } from "../lib/ids.ts";
import type { MaybePromise } from "../lib/maybe-promise.ts";
import type { Incoming, Socket, SocketRoute, SocketSession } from "../lib/route.ts";
import type { Watch } from "../lib/threads/watchdog.ts";
import { decodeInSteps, decodeUtf8 } from "../lib/utf8.ts";
import { isLarge } from "../lib/yield-to-loop.ts";
import type { JsonObject } from "../protocols/fields.ts";
import { EventFrames, faultFrame } from "../protocols/responses/answer/frames.ts";
import type { Caller } from "./admitted-request.ts";
import { changesIn } from "./answer-headers.ts";
import { ConnectionSlots } from "./arriving/connection-slots.ts";
import { frameBody } from "./arriving/frame-body.ts";
import { identify } from "./arriving/identify.ts";
import { KeyWatch } from "./arriving/key-watch.ts";
import { enter } from "./arriving/take-body.ts";
import { generate } from "./generate.ts";
import type { Services } from "./services.ts";

/** As it came; bytes are read as text when it is its turn. */
type Message = string | Uint8Array;

/** What is known of a turn once its message is read. */
interface Asked {
  /** The response that it goes on from. */
  previous: unknown;
}

/** What those hear whose message cannot be read. */
const WHAT = "The message";

/** Frames that may wait for the one before them. */
const WAITING_FRAMES_MAX = 16;

/** Said to a client whose message is too large; the runtime closes its connection at once. */
function tooLarge(bytesMax: number): SocketRoute["tooLarge"] {
  const reason = `A message may have ${bytesMax} bytes; send larger requests over HTTP.`;
  const fault = new Fault(
    "request_too_large",
    `A message on a WebSocket may have at most ${bytesMax} bytes. Send larger requests over HTTP with POST /v1/responses.`,
  );
  return { text: faultFrame(fault), reason };
}

const NORMAL_CLOSE = 1000;
const GOING_AWAY = 1001;
const NOT_ALLOWED = 1008;
/** The status of whoever shows a key that is not, or no longer, good. */
const NOT_KNOWN = 401;
/** A close frame has no room for more. */
const REASON_BYTES_MAX = 123;

/** How a connection is closed that begins nothing more. */
interface Ending {
  /** Said as a message first. */
  readonly fault?: Fault | undefined;
  readonly code: number;
  readonly reason: string;
}

function refusedEnding(fault: Fault): Ending {
  const reason = Buffer.from(fault.message).subarray(0, REASON_BYTES_MAX).toString();
  return { fault, code: NOT_ALLOWED, reason };
}

/** The text of a message. */
function textOf(message: Message): MaybePromise<string> {
  if (typeof message === "string") return message;
  return isLarge(message) ? decodeInSteps([message], WHAT) : decodeUtf8(message, WHAT);
}

/** Who is connected, how, and what is remembered of it. */
interface Connection {
  readonly accountId: string;
  readonly incoming: Incoming;
  readonly socket: Socket;
  readonly memory: ConnectionMemory;
}

/** One connection: its turns run one after the other through the same pipeline as any request. */
class ResponsesSession implements SocketSession {
  readonly #services: Services;
  readonly #accountId: string;
  readonly #memory: ConnectionMemory;
  readonly #incoming: Incoming;
  readonly #socket: Socket;
  readonly #left = new AbortController();
  readonly #leave: () => void;
  /** Messages that wait, counted with all that is in flight. */
  readonly #waiting: { readonly message: Message; release(): void }[] = [];
  #waitingLength = 0;
  /** The end of the connection's life. */
  readonly #end: Watch;
  #busy = false;
  #ending: Ending | undefined;

  constructor(
    services: Services,
    { accountId, incoming, socket, memory }: Connection,
    leave: () => void,
  ) {
    this.#accountId = accountId;
    this.#memory = memory;
    this.#services = { ...services, turns: memory };
    this.#incoming = incoming;
    this.#socket = socket;
    this.#leave = leave;
    const dueAtMs = services.watchdog.now() + services.limits.websocket_ms_max;
    this.#end = { dueAtMs, due: () => this.#work() };
    services.watchdog.add(this.#end);
  }

  message(message: Message): void {
    if (this.#ending) return;
    try {
      this.#queue(message);
    } catch (thrown) {
      // Told at once, and once: whoever does not wait for answers would not read one for each message.
      const fault = asFault(thrown);
      this.#services.tasks.run(this.#fail(fault));
      this.#endWith({ ...refusedEnding(fault), fault: undefined });
    }
    this.#work();
  }

  /** Has a message wait for those before it, counted with all that is in flight. */
  #queue(message: Message): void {
    const length = this.#waitingLength + message.length;
    const tooMuch = length > this.#services.limits.websocket_frame_bytes_max;
    if (this.#waiting.length >= WAITING_FRAMES_MAX || (this.#waiting.length > 0 && tooMuch)) {
      throw new Fault(
        "overloaded",
        "Too many messages wait on this connection. Send the next one after an answer.",
      );
    }
    const reserved = this.#services.bodies.reserve(message.length, this.#accountId);
    this.#waiting.push({ message, release: () => reserved.release() });
    this.#waitingLength = length;
  }

  /** Messages that will not be read are not held on to. */
  #dropWaiting(): void {
    for (const { release } of this.#waiting) release();
    this.#waiting.length = 0;
    this.#waitingLength = 0;
  }

  closed(): void {
    this.#dropWaiting();
    this.#services.watchdog.drop(this.#end);
    this.#left.abort(new Error("the client closed the connection"));
    this.#memory.close();
    this.#leave();
  }

  stop(): void {
    this.#endWith({ code: GOING_AWAY, reason: "the server is going away" });
  }

  /** Its key may not be used any more: what runs ends as any request would, and nothing follows. */
  refuse(fault: Fault): void {
    this.#endWith(refusedEnding(fault));
  }

  #endWith(ending: Ending): void {
    this.#ending ??= ending;
    this.#dropWaiting();
    this.#work();
  }

  /** Does what is there to do, unless that is being done already. */
  #work(): void {
    if (this.#busy) return;
    this.#busy = true;
    this.#services.tasks.run(this.#workOff());
  }

  async #workOff(): Promise<void> {
    const { watchdog } = this.#services;
    try {
      while (!this.#left.signal.aborted) {
        if (this.#ending) return await this.#close(this.#ending);
        if (watchdog.now() >= this.#end.dueAtMs) return await this.#expire();
        const next = this.#waiting.shift();
        if (next === undefined) return;
        this.#waitingLength -= next.message.length;
        next.release();
        await this.#turn(next.message);
      }
    } finally {
      this.#busy = false;
    }
  }

  async #close({ fault, code, reason }: Ending): Promise<void> {
    if (fault) await this.#fail(fault);
    this.#socket.close(code, reason);
  }

  async #expire(): Promise<void> {
    this.#services.watchdog.drop(this.#end);
    const minutes = Math.round(this.#services.limits.websocket_ms_max / 60_000);
    await this.#fail(
      new Fault(
        "websocket_connection_limit_reached",
        `A connection may last ${minutes} minutes; open a new one to go on.`,
      ),
    );
    this.#socket.close(NORMAL_CLOSE, "connection limit reached");
  }

  /** Not an async function, which would hold what it was called with: a message is of no use once it is read. */
  #turn(message: Message): Promise<void> {
    const asked: Asked = { previous: undefined };
    return this.#answer(asked, this.#ask(asked, message));
  }

  async #answer(asked: Asked, answer: Promise<Response>): Promise<void> {
    try {
      if (!(await this.#send(await answer))) this.#forget(asked.previous);
    } catch (thrown) {
      this.#forget(asked.previous);
      const fault = asFault(thrown);
      // The key was refused before whoever looks after it came by; its connection is told once.
      if (fault.status === NOT_KNOWN) return this.refuse(fault);
      await this.#fail(fault);
    }
  }

  async #ask(asked: Asked, message: Message): Promise<Response> {
    const { bodies, wires } = this.#services;
    const read = async () => {
      const held = await bodies.hold(await textOf(message), this.#accountId, WHAT);
      try {
        const body = await frameBody(held);
        asked.previous = (body.value as JsonObject).previous_response_id;
        return body;
      } catch (thrown) {
        held.release();
        throw thrown;
      }
    };
    const { url, headers } = this.#incoming.request;
    const request = new Request(url, { headers: handshake(headers), signal: this.#left.signal });
    const requestId = newId("req_");
    const incoming: Incoming = { ...this.#incoming, requestId, request, keepOpen() {} };
    return (await generate(this.#services, wires.responses, incoming, { read })).response();
  }

  #forget(previous: unknown): void {
    if (typeof previous === "string") this.#memory.forget(previous);
  }

  /** Sends an answer event by event. False when it failed on the way. */
  async #send(response: Response): Promise<boolean> {
    const frames = new EventFrames(changesIn(response.headers));
    let whole = true;
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    // One that broke off has nothing to cancel.
    const leave = () => void reader.cancel().catch(() => {});
    // Told at once, also while the client takes nothing of what was sent before.
    reader.closed.catch(() => this.#cutOff());
    this.#left.signal.addEventListener("abort", leave, { once: true });
    if (this.#left.signal.aborted) leave();
    try {
      for (;;) {
        const { value } = await reader.read();
        if (!value) return whole;
        for (const frame of frames.push(value)) {
          if (frame.startsWith('{"type":"response.failed"')) whole = false;
          await this.#socket.send(frame);
        }
      }
    } finally {
      this.#left.signal.removeEventListener("abort", leave);
    }
  }

  /** An answer broke off after it had begun: no word of it can follow, and so none of the next, as over HTTP. */
  #cutOff(): void {
    if (this.#left.signal.aborted) return;
    this.#left.abort(new Error("the answer was cut off"));
    this.#dropWaiting();
    this.#socket.close(NOT_ALLOWED, "the answer was cut off");
  }

  async #fail(fault: Fault): Promise<void> {
    if (this.#left.signal.aborted) return;
    await this.#socket.send(faultFrame(fault));
  }
}

/** The headers of a turn: those of the handshake that say who calls. */
function handshake(headers: Headers): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of ["authorization", "x-sandbox-fault", "traceparent", "tracestate"]) {
    const value = headers.get(name);
    if (value !== null) kept[name] = value;
  }
  return kept;
}

/** Takes a slot before the connection is open, since others may come at the same moment. A refusal counts to the key's rates. */
function takeSlot(services: Services, slots: ConnectionSlots, caller: Caller): () => void {
  try {
    return slots.take(caller.key);
  } catch (thrown) {
    enter(services, caller);
    throw thrown;
  }
}

/** Responses over a WebSocket: the same events as text messages, one turn at a time. */
export function responsesSocket(services: Services): SocketRoute {
  const { limits, conversations } = services;
  const slots = new ConnectionSlots(limits);
  const keys = new KeyWatch(services);
  const { websocket_frame_bytes_max } = limits;
  const budget = new MemoryBudget(limits.websocket_memory_bytes_max);
  return {
    path: "/v1/responses",
    messageBytesMax: websocket_frame_bytes_max,
    tooLarge: tooLarge(websocket_frame_bytes_max),
    async accept(incoming) {
      const caller = await identify(services, "responses", incoming);
      const { key } = caller;
      const leave = takeSlot(services, slots, caller);
      const open = (socket: Socket) => {
        const { accountId } = key;
        const memory = new ConnectionMemory(conversations, limits, { budget, accountId });
        const connection = { accountId, incoming, socket, memory };
        const session = new ResponsesSession(services, connection, () => {
          leave();
          keys.drop(session);
        });
        keys.add(session, incoming);
        return session;
      };
      return { open, leave };
    },
  };
}
