import type { Limits } from "../../config/config.ts";
import { ChannelHealth, Window } from "../health.ts";
import type { RefusalKind, VendorRefusal } from "../refusal.ts";
import type { Channel } from "./channels.ts";
import {
  type Credential,
  type CredentialStatus,
  Credentials,
  type KeptCredential,
} from "./credentials.ts";

/** How far back operators see attempts and failures. */
const SHOWN_WINDOW_MS = 300_000;

/** What operators may see of a channel. It holds no key. */
export interface ChannelStatus {
  readonly id: string;
  readonly name: string;
  readonly vendor: string;
  readonly enabled: boolean;
  /**
   * `untried`: nobody has asked it anything yet; `failing`: it has not answered since it was last tried or
   * tested; `cooled`: no request goes there now; `trial`: cooled for long enough, and tried with one request
   * at a time; `refused`: the vendor takes none of its keys.
   */
  readonly state: "untried" | "failing" | "ok" | "cooled" | "trial" | "refused";
  /** Why it is cooled: the vendor fails, or no key has quota left, or the vendor limits the rate of all keys. */
  readonly reason: "faults" | "quota" | "rate" | undefined;
  readonly cooledUntilMs: number | undefined;
  /** Within the window that decides whether it is cooled. Only the vendor's own failures are faults. */
  readonly attempts: number;
  readonly faults: number;
  /** Within the last minutes. Failures of every cause count, but not mistakes of clients. */
  readonly recent: ChannelCounts;
  /** The same since the process started. */
  readonly totals: ChannelCounts;
  readonly answeredAtMs: number | undefined;
  readonly failedAtMs: number | undefined;
  readonly lastError: ChannelError | undefined;
  readonly credentials: readonly CredentialStatus[];
}

export interface ChannelCounts {
  readonly attempts: number;
  readonly failures: number;
}

/** The state of a channel that outlives its process. Times are of the clock that the channel goes by. */
export interface KeptChannel {
  readonly place: string;
  readonly proof: "untried" | "failing" | "ok";
  readonly answeredAtMs: number | null;
  readonly failedAtMs: number | null;
  readonly lastError: ChannelError | null;
  readonly credentials: readonly KeptCredential[];
}

interface ChannelError {
  readonly atMs: number;
  readonly kind: Exclude<RefusalKind, "client">;
  readonly status: number | undefined;
  readonly message: string;
}

/** How a key of a channel did in a test: without a refusal it was answered. */
export interface TestedKey {
  readonly credential: Credential;
  readonly refusal: VendorRefusal | undefined;
}

/** What was asked of a channel. */
interface TriedTarget {
  readonly credential: Credential;
  readonly upstreamModel: string;
}

function isVendorFault({ kind }: VendorRefusal): boolean {
  return kind === "vendor" || kind === "unreachable";
}

/** What a process remembers of a channel: how it is, how its keys are, and what went wrong last. */
export class ChannelState {
  readonly channel: Channel;
  readonly health: ChannelHealth;
  readonly credentials: Credentials;
  #lastError: ChannelError | undefined;
  readonly #shown: Window;
  #attempts = 0;
  #failures = 0;
  #answeredAtMs: number | undefined;
  #failedAtMs: number | undefined;
  /** What the last try came to, as long as that says more than the window does. */
  #proof: "untried" | "failing" | "ok";

  /**
   * `former` is the same channel before it was changed. What was learnt of a place is true while the
   * place is the same, and of a key while the place takes keys at all.
   */
  constructor(channel: Channel, limits: Limits, former?: ChannelState) {
    const known = former?.channel.place === channel.place ? former : undefined;
    this.channel = channel;
    this.health = known?.health ?? new ChannelHealth(limits);
    this.credentials = new Credentials(channel.keys, limits, known?.credentials);
    this.#shown = known ? known.#shown : new Window(SHOWN_WINDOW_MS);
    if (known) {
      this.#lastError = known.#lastError;
      this.#answeredAtMs = known.#answeredAtMs;
      this.#failedAtMs = known.#failedAtMs;
      this.#attempts = known.#attempts;
      this.#failures = known.#failures;
    }
    const sameKey = known?.credentials.all.some((each) => this.credentials.all.includes(each));
    // What is built in is there by itself.
    this.#proof = channel.embedded ? "ok" : known && sameKey ? known.#proof : "untried";
  }

  /** As if nothing had gone wrong yet; what went wrong last can still be read. */
  revive(): void {
    this.health.revive();
    if (this.#proof === "failing") this.#proof = "untried";
    for (const credential of this.credentials.all) credential.revive();
  }

  /** When a request for the model may go there with one of its keys, or never. */
  opensAtMs(model: string): number {
    return Math.max(this.health.opensAtMs(model), this.credentials.usableAtMs(model));
  }

  /** It has answered elsewhere than here, such as before it was saved. */
  proven(): void {
    if (this.#proof === "untried") this.#proof = "ok";
  }

  answered(nowMs: number, onTrial: boolean): void {
    this.#proof = "ok";
    this.#answeredAtMs = nowMs;
    this.#countAttempt(nowMs);
    this.health.answered(nowMs, onTrial);
  }

  #countAttempt(nowMs: number): void {
    this.#attempts += 1;
    this.#shown.addAttempt(nowMs);
  }

  #countFailure(nowMs: number): void {
    this.#failures += 1;
    this.#failedAtMs = nowMs;
    this.#shown.addFault(nowMs);
  }

  /**
   * What a test of its keys came to. A key that is refused is out as by a request; but only by one that asks
   * for an answer, since a list is refused for other reasons too.
   */
  tested(keys: readonly TestedKey[], method: "generate" | "list", nowMs: number): void {
    for (const { credential, refusal } of keys) {
      if (refusal) this.#note(refusal, nowMs);
      if (method === "list") continue;
      if (refusal?.kind === "credential") {
        this.credentials.refuse(credential, refusal.message, nowMs);
      } else if (!refusal && (credential.refused || credential.status(nowMs).exhausted)) {
        credential.revive();
      }
    }
    const answers = keys.some(({ refusal }) => !refusal);
    const onlyKeys = keys.every(({ refusal }) => !refusal || refusal.kind === "credential");
    this.#proof = answers && onlyKeys ? "ok" : "failing";
    if (answers) this.health.probed(nowMs, true);
  }

  /** A test is our own request: that it is refused is no client's doing. */
  #note({ kind, status, message }: VendorRefusal, nowMs: number): void {
    const shown = kind === "client" ? "vendor" : kind;
    this.#lastError = { atMs: nowMs, kind: shown, status, message };
  }

  /** The vendor did not answer. */
  failed(refusal: VendorRefusal, tried: TriedTarget, nowMs: number, onTrial: boolean): void {
    if (this.channel.embedded) return;
    // Without a status nobody answered: the client left before that.
    if (refusal.kind !== "client" || refusal.status !== undefined) this.#countAttempt(nowMs);
    this.#learn(refusal, tried, nowMs);
    if (isVendorFault(refusal)) this.health.faulted(nowMs, onTrial);
    // Without a status nobody answered: the client left before that.
    else if (refusal.status === undefined) this.health.released(onTrial);
    else this.health.answered(nowMs, onTrial);
  }

  /** The vendor had begun to answer. */
  brokeOff(refusal: VendorRefusal, tried: TriedTarget, nowMs: number): void {
    if (this.channel.embedded) return;
    this.#learn(refusal, tried, nowMs);
    if (isVendorFault(refusal)) this.health.brokeOff(nowMs);
  }

  #learn(refusal: VendorRefusal, { credential, upstreamModel }: TriedTarget, nowMs: number): void {
    const { kind, message, retryAfterMs } = refusal;
    if (kind !== "client") {
      if (!refusal.tooLarge) this.#countFailure(nowMs);
      this.#note(refusal, nowMs);
      // One that has answered before is judged by its window: anybody fails now and then.
      if (this.#proof === "untried") this.#proof = "failing";
    }
    if (kind === "credential") this.credentials.refuse(credential, message, nowMs);
    if (kind === "model") this.health.coolModel(upstreamModel, nowMs);
    // Who sends one that is too large does not cost all others the key.
    if (kind === "rate" && !refusal.tooLarge) {
      const { exhausted } = refusal;
      if (exhausted) credential.exhaust();
      const waitMs = retryAfterMs ?? (exhausted ? Number.POSITIVE_INFINITY : undefined);
      this.credentials.limited(credential, nowMs, waitMs, exhausted ? undefined : upstreamModel);
    }
  }

  kept(): KeptChannel {
    return {
      place: this.channel.place,
      proof: this.health.isDown ? "failing" : this.#proof,
      answeredAtMs: this.#answeredAtMs ?? null,
      failedAtMs: this.#failedAtMs ?? null,
      lastError: this.#lastError ?? null,
      credentials: this.credentials.all.map((credential) => credential.kept()),
    };
  }

  /** Takes over the state that an earlier process kept, as long as nothing has happened here yet. */
  recall(kept: KeptChannel): void {
    if (this.channel.embedded || kept.place !== this.channel.place || this.#attempts > 0) return;
    this.#answeredAtMs = kept.answeredAtMs ?? undefined;
    this.#failedAtMs = kept.failedAtMs ?? undefined;
    this.#lastError = kept.lastError ?? undefined;
    const keptByName = new Map(kept.credentials.map((each) => [each.name, each]));
    let isKnown = false;
    for (const credential of this.credentials.all) {
      const known = keptByName.get(credential.key.name);
      if (!known) continue;
      isKnown = true;
      credential.recall(known);
    }
    if (isKnown) this.#proof = kept.proof;
  }

  /**
   * Until when no key may be used for any of these models, and why: a moment that is to come, or nothing
   * while some key may be.
   */
  #keysAway(
    models: readonly string[],
    nowMs: number,
  ): { untilMs: number; exhausted: boolean } | undefined {
    const untilMs = Math.min(
      ...(models.length > 0 ? models : [""]).map((model) => this.credentials.usableAtMs(model)),
    );
    if (untilMs <= nowMs) return undefined;
    return {
      untilMs,
      exhausted: this.credentials.all.some((each) => each.status(nowMs).exhausted),
    };
  }

  /** @param models What the channel serves, by the vendor's names. */
  status(nowMs: number, models: readonly string[] = []): ChannelStatus {
    const { id, name, vendor, enabled } = this.channel;
    const health = this.health.status(nowMs);
    const away = this.#keysAway(models, nowMs);
    const { attempts, faults } = this.#shown.counts(nowMs);
    const common = {
      ...{ id, name, vendor, enabled, attempts: health.attempts, faults: health.faults },
      recent: { attempts, failures: faults },
      totals: { attempts: this.#attempts, failures: this.#failures },
      answeredAtMs: this.#answeredAtMs,
      failedAtMs: this.#failedAtMs,
      lastError: this.#lastError,
      credentials: this.credentials.all.map((credential) => credential.status(nowMs)),
    };
    const { cooledUntilMs } = health;
    if (this.credentials.refused)
      return { ...common, state: "refused", reason: undefined, cooledUntilMs };
    if (away) {
      const reason = away.exhausted ? "quota" : "rate";
      return {
        ...common,
        state: "cooled",
        reason,
        cooledUntilMs: Math.max(away.untilMs, cooledUntilMs ?? 0),
      };
    }
    const state = health.state === "ok" ? this.#proof : health.state;
    return { ...common, state, reason: state === "cooled" ? "faults" : undefined, cooledUntilMs };
  }
}
