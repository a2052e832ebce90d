import { api } from "../api.ts";
import { useSession } from "../session.tsx";
import { allowed } from "../settings.ts";
import { currentMs } from "../time/now.ts";
import { newIntent } from "./intent.ts";

/** Whoever asks for the same a day later means it anew. The server remembers what has moved for good. */
const KEPT_MS = 86_400_000;

type TabStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

const nameOf = (action: string) => `faregate.intent ${action}`;

/**
 * Intents that wait for an answer, by action. They outlive the dialog that sent them, and the page: a user who repeats
 * an action whose answer was lost sends the same intent.
 */
export class KeptIntents {
  readonly #storage: () => TabStorage;
  /** For browsers that forbid storage. */
  readonly #here = new Map<string, string>();

  constructor(storage: () => TabStorage) {
    this.#storage = storage;
  }

  of(action: string, nowMs: number): string {
    const name = nameOf(action);
    const kept = this.#here.get(name) ?? allowed(() => this.#storage().getItem(name)) ?? "";
    const [intent, sinceMs] = kept.split(" ");
    if (intent && nowMs - Number(sinceMs) < KEPT_MS) return intent;
    const fresh = newIntent();
    const text = `${fresh} ${nowMs}`;
    this.#here.set(name, text);
    allowed(() => this.#storage().setItem(name, text));
    return fresh;
  }

  /** The action is done: repeating it is another intent from now on. */
  answered(action: string): void {
    const name = nameOf(action);
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
    const action = `${me.user.id} ${path} ${body.amount}`;
    const answer = await api.post<Answer>(path, body, { intent: intents.of(action, currentMs()) });
    intents.answered(action);
    return answer;
  };
}
