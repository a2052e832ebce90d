import type { Limits } from "../../config/config.ts";
import { every } from "../../lib/clock.ts";
import { readInSteps } from "../../lib/json/large-json.ts";
import type { TaskGroup } from "../../lib/threads/task-group.ts";
import { isLarge } from "../../lib/yield-to-loop.ts";
import { isObject } from "../../protocols/fields.ts";
import type { Routes } from "../routing.ts";
import { fetchedAnswer } from "../transport/fetched-call.ts";
import type { ChannelState } from "./channel-state.ts";
import type { Channel } from "./channels.ts";
import type { VendorKey } from "./credentials.ts";

const PERIOD_MS = 600_000;
/** The longest list of models that is read. */
export const LIST_BYTES_MAX = 16 * 1024 * 1024;
const MODELS_MAX = 20_000;
const NAME_CHARS_MAX = 256;

/** A key that the vendor has not refused, if there is one. */
export function listingKey(state: ChannelState): VendorKey | undefined {
  return state.credentials.all.find((credential) => !credential.refused)?.key;
}

/** The names in a vendor's list: OpenAI's and Anthropic's `data`, Google's and Ollama's `models`. */
export function namesIn(body: unknown): string[] | undefined {
  const outer = isObject(body) ? (body.data ?? body.models) : body;
  if (!Array.isArray(outer)) return undefined;
  return outer.slice(0, MODELS_MAX).flatMap((entry) => {
    const name = isObject(entry) ? (entry.id ?? entry.name) : entry;
    if (typeof name !== "string" || name === "" || name.length > NAME_CHARS_MAX) return [];
    return name.replace(/^models\//, "");
  });
}

/** A long list in steps, so that others have their turns meanwhile. */
async function parsed(text: string): Promise<unknown> {
  return isLarge(text) ? (await readInSteps(text)).value : JSON.parse(text);
}

/** What the vendor of a channel lists; throws where it lists nothing that can be read. */
export async function listOf(
  channel: Pick<Channel, "list">,
  key: VendorKey,
  withinMs: number,
): Promise<string[]> {
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, AbortSignal.timeout(withinMs)]);
  const response = await channel.list?.(key, signal);
  if (response?.status !== 200) {
    await response?.body?.cancel();
    throw new Error(`the list of models was answered with ${response?.status}`);
  }
  try {
    const names = namesIn(await parsed(await fetchedAnswer(response).text(LIST_BYTES_MAX)));
    if (!names) throw new Error("the list of models cannot be read");
    return names;
  } finally {
    // One that is too long is not read on.
    over.abort();
  }
}

/** Keeps the lists of those channels current that serve whatever their vendor has. */
export class FetchedModels {
  readonly #routes: Routes;
  readonly #limits: Limits;
  readonly #onFailure: (channelId: string, thrown: unknown) => void;

  constructor(
    routes: Routes,
    limits: Limits,
    onFailure: (channelId: string, thrown: unknown) => void,
  ) {
    this.#routes = routes;
    this.#limits = limits;
    this.#onFailure = onFailure;
  }

  /** Asks all of them once. One that cannot be asked keeps the list that it has. */
  async refresh(): Promise<void> {
    await Promise.all(this.#asked().map((state) => this.#refreshOne(state)));
  }

  /** Asks those that have not told anything yet, such as a channel that has just been added. */
  async refreshNew(): Promise<void> {
    const fresh = this.#asked().filter(({ channel }) => !this.#routes.hasLearnt(channel.id));
    await Promise.all(fresh.map((state) => this.#refreshOne(state)));
  }

  #asked(): readonly ChannelState[] {
    return this.#routes.states.filter(
      ({ channel }) => channel.enabled && channel.models === "fetch" && channel.list,
    );
  }

  async #refreshOne(state: ChannelState): Promise<void> {
    const { channel } = state;
    const key = listingKey(state);
    if (!key) return;
    try {
      this.#routes.learn(channel, await listOf(channel, key, this.#limits.models_fetch_ms));
    } catch (thrown) {
      this.#onFailure(channel.id, thrown);
    }
  }

  /** Asks now and from time to time; returns the way to stop it. */
  start(tasks: TaskGroup): () => void {
    tasks.run(this.refresh());
    return every(PERIOD_MS, () => tasks.run(this.refresh()));
  }
}
