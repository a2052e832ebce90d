import { INNER_REVISION } from "../../http/inner.ts";
import type { RemoteRoutes } from "../../http/remote-routes.ts";
import { watchedStream } from "../../http/watched-answer.ts";
import { Fault } from "../../lib/faults.ts";
import type { Incoming } from "../../lib/route.ts";
import { askInner, passedOn } from "./inner-call.ts";
import type { OfficeAccess } from "./office-access.ts";
import { askBusy } from "./office-process.ts";

/** A body up to here is read before it is passed on, so that it can be sent again. */
const WHOLE_BODY_BYTES = 64 * 1024;
/** Nobody was there to be asked: not a byte of the request has been sent. */
const UNREACHED = ["ENOENT", "ECONNREFUSED", "ConnectionRefused", "FailedToOpenSocket"];

interface DoorParts {
  readonly office: Pick<OfficeAccess, "take" | "doubt">;
  readonly socket: string;
  /** Which of several gates this is. */
  readonly gate: number;
  readonly paths: readonly string[];
  /** Takes into force what operators had set at this revision, unless that is done. */
  takeRevision(revision: number): Promise<void>;
}

/** What the office says, and the word that nothing more of it is waited for. */
interface Asked {
  readonly answer: Response;
  readonly free: () => void;
}

type Body = Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;

async function bodyOf(incoming: Incoming): Promise<Body> {
  const { request } = incoming;
  const { body } = request;
  // Once everything is here, the client may wait for as long as the answer takes.
  const keepOpen = () => incoming.keepOpen();
  if (!body) keepOpen();
  if (!body) return null;
  const bytes = Number(request.headers.get("content-length") ?? Number.POSITIVE_INFINITY);
  if (bytes > WHOLE_BODY_BYTES) return watchedStream(body, keepOpen);
  incoming.memory?.grow(bytes);
  const whole = new Uint8Array(await request.arrayBuffer());
  keepOpen();
  return whole;
}

/** The office did not come, so that nothing at all was asked of it. */
class NoOfficeError extends Error {
  override readonly name = "NoOfficeError";
}

function isUnreached(thrown: unknown): boolean {
  if (thrown instanceof NoOfficeError) return true;
  return UNREACHED.includes(String((thrown as { code?: unknown }).code));
}

/** Whether a request may be sent once more: it has changed nothing, or it was not sent at all. */
function mayRepeat({ method }: Request, body: Body, thrown: unknown): boolean {
  if (method === "GET" || method === "HEAD" || thrown instanceof NoOfficeError) return true;
  return isUnreached(thrown) && !(body instanceof ReadableStream);
}

/** The door to the office: what is asked of its paths goes there, and comes back as it is answered. */
export class OfficeDoor implements RemoteRoutes {
  readonly #parts: DoorParts;

  constructor(parts: DoorParts) {
    this.#parts = parts;
  }

  get paths(): readonly string[] {
    return this.#parts.paths;
  }

  async answer(incoming: Incoming): Promise<Response> {
    const { request } = incoming;
    const { office } = this.#parts;
    const body = await bodyOf(incoming);
    for (let again = false; ; again = true) {
      let asked: Asked;
      try {
        asked = await this.#ask(incoming, body);
      } catch (thrown) {
        if (request.signal.aborted) throw unavailable(thrown);
        if (!isUnreached(thrown) && (await this.#isThere())) return hangUp();
        if (again || !mayRepeat(request, body, thrown)) throw unavailable(thrown);
        await office.doubt();
        continue;
      }
      return this.#pass(asked);
    }
  }

  /** An office that is there and has not answered has hung up, as the platform's test controls can have it do. */
  #isThere(): Promise<boolean> {
    return askBusy(this.#parts.socket).then(
      () => true,
      () => false,
    );
  }

  async #ask(incoming: Incoming, body: Body): Promise<Asked> {
    const { office, socket, gate } = this.#parts;
    const { method, headers, signal } = incoming.request;
    const free = await office.take().catch((cause: unknown) => {
      throw new NoOfficeError("the office did not come", { cause });
    });
    try {
      const call = { method, url: incoming.url.href, headers, body, signal };
      const { requestId } = incoming;
      const caller = { requestId, address: () => incoming.address(), gate };
      return { answer: await askInner(socket, call, caller), free };
    } catch (thrown) {
      free();
      throw thrown;
    }
  }

  /** The office has answered: what goes wrong from here on is this gate's doing, and is told as such. */
  async #pass({ answer, free }: Asked): Promise<Response> {
    const revision = answer.headers.get(INNER_REVISION);
    try {
      // What somebody has just set holds for the next request, wherever that goes.
      if (revision !== null) await this.#parts.takeRevision(Number(revision));
    } catch (thrown) {
      free();
      throw thrown;
    }
    if (!answer.body) free();
    return passedOn(answer, answer.body && watchedStream(answer.body, free));
  }
}

/** An answer of which not a byte is sent: a body that fails before it has begun cuts the connection. */
function hangUp(): Response {
  const fail = (controller: ReadableStreamDefaultController) => controller.error(undefined);
  return new Response(new ReadableStream({ start: fail }));
}

function unavailable(cause: unknown): Fault {
  const message = "The console is starting again. Try once more in a moment.";
  return new Fault("office_unavailable", message, { cause, headers: { "retry-after": "2" } });
}
