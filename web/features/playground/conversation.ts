import { useSyncExternalStore } from "react";
import { ApiError } from "../../lib/api.ts";
import { NO_ANSWER, type ShownAnswer } from "./answer.ts";
import {
  type Call,
  type Exchange,
  fetchReceipt,
  type Question,
  type Receipt,
  stream,
} from "./call.ts";

export interface Turn {
  readonly id: number;
  readonly prompt: string;
  readonly model: string;
  readonly answer: ShownAnswer;
  readonly state: "running" | "done" | "stopped" | "failed";
  /** What went wrong: a refusal, or the model's own words where it failed half-way. */
  readonly problem: unknown;
  /** Under which its receipt lies, or will. */
  readonly requestId: string | undefined;
  readonly receipt: Receipt | undefined;
}

/** Only what was answered is said again; a failed turn would confuse the model. */
export function exchangesOf(turns: readonly Turn[]): readonly Exchange[] {
  return turns
    .filter(({ answer }) => answer.text !== "")
    .map(({ prompt, answer }) => ({ prompt, answer: answer.text }));
}

export type Sending = Omit<Question, "before">;

/**
 * What one person said in one account. It is no page's: an answer that comes in goes on while somebody looks at
 * another page, and all of it is there when they come back. It lives as long as the tab.
 */
export class Conversation {
  readonly #account: string;
  readonly #listeners = new Set<() => void>();
  #turns: readonly Turn[] = [];
  #running: AbortController | undefined;
  #lastId = 0;

  /** By the path of the account that pays. */
  constructor(account: string) {
    this.#account = account;
  }

  readonly turns = (): readonly Turn[] => this.#turns;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  async send(sending: Sending): Promise<void> {
    const id = ++this.#lastId;
    const { prompt, model } = sending;
    const before = exchangesOf(this.#turns);
    const empty = { problem: undefined, requestId: undefined, receipt: undefined };
    const fresh: Turn = { id, prompt, model, answer: NO_ANSWER, state: "running", ...empty };
    this.#become([...this.#turns, fresh]);
    await this.#finish(id, { ...sending, before, account: this.#account });
  }

  readonly stop = (): void => this.#running?.abort();

  readonly clear = (): void => {
    this.stop();
    this.#become([]);
  };

  #become(turns: readonly Turn[]): void {
    this.#turns = turns;
    for (const listener of this.#listeners) listener();
  }

  #patch(id: number, changes: Partial<Turn>): void {
    this.#become(this.#turns.map((turn) => (turn.id === id ? { ...turn, ...changes } : turn)));
  }

  #find(id: number): Turn | undefined {
    return this.#turns.find((turn) => turn.id === id);
  }

  async #finish(id: number, call: Call): Promise<void> {
    const abort = new AbortController();
    this.#running = abort;
    try {
      await stream(call, abort.signal, {
        onStart: (requestId) => this.#patch(id, { requestId }),
        onAnswer: (answer) => {
          const { failure } = answer;
          this.#patch(id, failure ? { answer, state: "failed", problem: failure } : { answer });
        },
      });
      if (this.#find(id)?.state === "running") this.#patch(id, { state: "done" });
    } catch (thrown) {
      if (abort.signal.aborted) this.#patch(id, { state: "stopped" });
      else this.#patch(id, { state: "failed", problem: thrown });
      // A refusal costs nothing.
      if (thrown instanceof ApiError) return;
    }
    const requestId = this.#find(id)?.requestId;
    if (requestId === undefined) return;
    const receipt = await fetchReceipt(this.#account, requestId);
    if (receipt) this.#patch(id, { receipt });
  }
}

/** Of this tab, by person and account: where a session has ended, others can sign in without a new document. */
const conversations = new Map<string, Conversation>();

function conversationOf(person: string, account: string): Conversation {
  const name = `${person} ${account}`;
  const known = conversations.get(name) ?? new Conversation(account);
  conversations.set(name, known);
  return known;
}

/** The turns of a person in an account, and what can be done with them. */
export function useConversation(person: string, account: string) {
  const conversation = conversationOf(person, account);
  const turns = useSyncExternalStore(conversation.subscribe, conversation.turns);
  return {
    turns,
    running: turns.at(-1)?.state === "running",
    send: (sending: Sending) => void conversation.send(sending),
    stop: conversation.stop,
    clear: conversation.clear,
  };
}
