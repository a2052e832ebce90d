import { api } from "../api.ts";
import { useSession } from "../session.tsx";
import { allowed } from "../settings.ts";
import { currentMs } from "../time/now.ts";
import { newIntent } from "./intent.ts";

/** Whoever asks for the same a day later means it anew. The server remembers what has moved for good. */
const KEPT_MS = 86_400_000;

type TabStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

const nameOf = (wish: string) => `faregate.intent ${wish}`;

/**
 * Intents that wait for an answer, by what is wished for. They outlive the dialog that sent them, and the page: whoever
 * comes back to a wish whose answer was lost sends it as the one of before.
 */
export class KeptIntents {
  readonly #storage: () => TabStorage;
  /** For browsers that forbid storage. */
  readonly #here = new Map<string, string>();

  constructor(storage: () => TabStorage) {
    this.#storage = storage;
  }

  of(wish: string, nowMs: number): string {
    const name = nameOf(wish);
    const kept = this.#here.get(name) ?? allowed(() => this.#storage().getItem(name)) ?? "";
    const [intent, sinceMs] = kept.split(" ");
    if (intent && nowMs - Number(sinceMs) < KEPT_MS) return intent;
    const fresh = newIntent();
    const text = `${fresh} ${nowMs}`;
    this.#here.set(name, text);
    allowed(() => this.#storage().setItem(name, text));
    return fresh;
  }

  /** It has happened: the same wish is another intent from now on. */
  answered(wish: string): void {
    const name = nameOf(wish);
    this.#here.delete(name);
    allowed(() => this.#storage().removeItem(name));
  }
}

const intents = new KeptIntents(() => sessionStorage);

/**
 * Posts what moves an amount of money, once, however often its answer is lost. Another amount is another intent, and so
 * is another person's. A refusal leaves the intent as good as it was: nothing has moved by the request that was refused,
 * which says nothing of the one before it.
 */
export function useMoveMoney() {
  const { me } = useSession();
  return async <Answer>(path: string, body: { readonly amount: string }): Promise<Answer> => {
    const wish = `${me.user.id} ${path} ${body.amount}`;
    const answer = await api.post<Answer>(path, body, { intent: intents.of(wish, currentMs()) });
    intents.answered(wish);
    return answer;
  };
}
