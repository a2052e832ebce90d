import type { FaultForm } from "../contract/controls.ts";
import type { PlatformAnswer } from "../endpoint.ts";
import { PlatformError } from "../platform-error.ts";
import type { JsonObject } from "../protocol/json.ts";
import type { Interference } from "../protocol/protocol.ts";

/** What goes wrong with the next calls of a path. Without an effect of its own, it only takes time. */
interface Interruption {
  /** Such as `/cgi-bin/draft/add`, or `*` for every call. */
  readonly route: string;
  readonly delayMs: number;
  /** Whether the call is carried out before it goes wrong. */
  readonly afterCommit: boolean;
  readonly effect:
    | { readonly kind: "none" }
    | { readonly kind: "drop" }
    | { readonly kind: "errcode"; readonly errcode: number }
    | { readonly kind: "http"; readonly status: number }
    | { readonly kind: "answer"; readonly answer: JsonObject };
}

function effectOf(form: FaultForm): Interruption["effect"] {
  if (form.errcode !== undefined) return { kind: "errcode", errcode: form.errcode };
  if (form.http !== undefined) return { kind: "http", status: form.http };
  if (form.answer !== undefined) return { kind: "answer", answer: form.answer as JsonObject };
  return { kind: form.drop_before_commit || form.drop_after_commit ? "drop" : "none" };
}

/** The faults that a test asked for. */
export function interruptionOf(form: FaultForm): Interruption {
  const afterCommit = form.after_commit || form.drop_after_commit === true;
  const { route, delay_ms: delayMs } = form;
  return { route, delayMs, afterCommit, effect: effectOf(form) };
}

interface Waiting extends Interruption {
  /** For how many calls more. */
  left: number;
}

/**
 * An answer of which not a byte is sent: a body that fails before it has begun makes the server cut
 * the connection. Without a reason, since Bun would print it.
 */
function cutConnection(): Response {
  return new Response(
    new ReadableStream({
      start(controller) {
        controller.error(undefined);
      },
    }),
  );
}

function affected({ effect }: Interruption): PlatformAnswer | Response | undefined {
  switch (effect.kind) {
    case "none":
      return undefined;
    case "drop":
      return cutConnection();
    case "errcode":
      throw new PlatformError(effect.errcode);
    case "http":
      return new Response("injected by a test", { status: effect.status });
    case "answer":
      return effect.answer;
  }
}

/** Faults that a test has ordered, in the order in which it did. */
export class Interruptions {
  #waiting: Waiting[] = [];
  /** Ends the waits of calls that are held up now. */
  #release = Promise.withResolvers<void>();

  add(interruption: Interruption, count: number): void {
    this.#waiting.push({ ...interruption, left: count });
  }

  list(): readonly Readonly<Waiting>[] {
    return this.#waiting;
  }

  /** Forgets what has not happened yet, and lets calls go on that are held up. */
  clear(): void {
    this.#waiting = [];
    this.#release.resolve();
    this.#release = Promise.withResolvers<void>();
  }

  async #holdUp(delayMs: number): Promise<void> {
    const over = Promise.withResolvers<void>();
    const timer = setTimeout(over.resolve, delayMs);
    await Promise.race([over.promise, this.#release.promise]);
    clearTimeout(timer);
  }

  readonly interfere: Interference = async (path, work, keepOpen) => {
    const found = this.#take(path);
    if (found === undefined) return work();
    if (found.delayMs > 0) {
      keepOpen();
      await this.#holdUp(found.delayMs);
    }
    if (!found.afterCommit) return affected(found) ?? work();
    // Also a refusal is lost when the connection is cut.
    const done = work();
    await Promise.allSettled([done]);
    return affected(found) ?? done;
  };

  #take(path: string): Interruption | undefined {
    const found = this.#waiting.find(({ route }) => route === "*" || route === path);
    if (found === undefined) return undefined;
    found.left -= 1;
    if (found.left <= 0) this.#waiting = this.#waiting.filter((each) => each !== found);
    return found;
  }
}
