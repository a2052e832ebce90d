import type { Limits } from "../../config/config.ts";
import { ChannelHealth } from "../health.ts";
import type { RefusalKind, VendorRefusal } from "../refusal.ts";
import type { Channel } from "./channels.ts";
import { type Credential, type CredentialStatus, Credentials } from "./credentials.ts";

/** What operators may see of a channel. It holds no key. */
export interface ChannelStatus {
  readonly id: string;
  readonly name: string;
  readonly vendor: string;
  readonly enabled: boolean;
  /**
   * `untried`: nobody has asked it anything since this process started; `failing`: it has not answered since it
   * was last tried or tested; `trial`: cooled for long enough, and tried with one request at a time.
   */
  readonly state: "untried" | "failing" | "ok" | "cooled" | "trial" | "refused";
  readonly cooledUntilMs: number | undefined;
  /** Within the window. */
  readonly attempts: number;
  readonly faults: number;
  readonly lastError: ChannelError | undefined;
  readonly credentials: readonly CredentialStatus[];
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
interface TriedPlace {
  readonly credential: Credential;
  readonly upstreamModel: string;
}

function blamesVendor({ kind }: VendorRefusal): boolean {
  return kind === "vendor" || kind === "unreachable";
}

/** What a process remembers of a channel: how it is, how its keys are, and what went wrong last. */
export class ChannelState {
  readonly channel: Channel;
  readonly health: ChannelHealth;
  readonly credentials: Credentials;
  #lastError: ChannelError | undefined;
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
    if (known) this.#lastError = known.#lastError;
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
    this.health.answered(nowMs, onTrial);
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
      } else if (!refusal && credential.refused) credential.revive();
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
  failed(refusal: VendorRefusal, tried: TriedPlace, nowMs: number, onTrial: boolean): void {
    if (this.channel.embedded) return;
    this.#learn(refusal, tried, nowMs);
    if (blamesVendor(refusal)) this.health.faulted(nowMs, onTrial);
    // Without a status nobody answered: the client left before that.
    else if (refusal.status === undefined) this.health.released(onTrial);
    else this.health.answered(nowMs, onTrial);
  }

  /** The vendor had begun to answer. */
  brokeOff(refusal: VendorRefusal, tried: TriedPlace, nowMs: number): void {
    if (this.channel.embedded) return;
    this.#learn(refusal, tried, nowMs);
    if (blamesVendor(refusal)) this.health.brokeOff(nowMs);
  }

  #learn(refusal: VendorRefusal, { credential, upstreamModel }: TriedPlace, nowMs: number): void {
    const { kind, message, retryAfterMs } = refusal;
    if (kind !== "client") {
      this.#note(refusal, nowMs);
      // One that has answered before is judged by its window: anybody fails now and then.
      if (this.#proof === "untried") this.#proof = "failing";
    }
    if (kind === "credential") this.credentials.refuse(credential, message, nowMs);
    if (kind === "model") this.health.coolModel(upstreamModel, nowMs);
    // Who sends one that is too large does not cost all others the key.
    if (kind === "rate" && !refusal.tooLarge) {
      const { exhausted } = refusal;
      const waitMs = retryAfterMs ?? (exhausted ? Number.POSITIVE_INFINITY : undefined);
      this.credentials.limited(credential, nowMs, waitMs, exhausted ? undefined : upstreamModel);
    }
  }

  status(nowMs: number): ChannelStatus {
    const { id, name, vendor, enabled } = this.channel;
    const health = this.health.status(nowMs);
    return {
      id,
      name,
      vendor,
      enabled,
      ...health,
      state: this.credentials.refused
        ? "refused"
        : health.state === "ok"
          ? this.#proof
          : health.state,
      lastError: this.#lastError,
      credentials: this.credentials.all.map((credential) => credential.status(nowMs)),
    };
  }
}
