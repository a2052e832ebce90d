import { isIPv6 } from "node:net";
import type { Clock } from "../clock.ts";
import { Fault } from "../faults.ts";
import { type BudgetRefusal, FairBudget } from "../threads/fair-budget.ts";
import { HeldBytes } from "../threads/held-bytes.ts";
import { Throttle } from "../threads/throttle.ts";

/** The largest body of a sender who is not known, unless its route says otherwise. */
export const OPEN_BODY_BYTES_MAX = 64 * 1024;

const MINUTE_MS = 60_000;

interface MemoryLimits {
  readonly office_body_bytes_in_flight_max: number;
  readonly open_calls_per_minute: number;
}

/** One network counts as one sender: whoever has an IPv6 address has all of its last half. */
function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = "", tail = ""] = address.split("%", 1).join("").split("::", 2);
  const start = head === "" ? [] : head.split(":");
  const end = tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: Math.max(0, 8 - start.length - end.length) }, () => "0");
  const groups = address.includes("::") ? [...start, ...zeros, ...end] : start;
  return `${groups.slice(0, 4).join(":")}::/64`;
}

function bufferFull(why: BudgetRefusal): Fault {
  const headers = { "retry-after": "1", "retry-after-ms": "1000" };
  if (why === "full") {
    return new Fault(
      "overloaded",
      "The server holds as many request bytes as it may. Try again shortly.",
      {
        headers,
      },
    );
  }
  const message =
    "Your requests hold as many bytes as they may until they are answered. Please try again in 1s.";
  return new Fault("rate_limit_exceeded", message, {
    headers: { ...headers, "x-faregate-limit": "bytes" },
  });
}

/** What a reader of a body needs to know of the memory for it. */
export interface RequestMemory {
  /** Whether nobody has found out yet who sends the request. */
  readonly isOpen: boolean;
  /** Names the account or person who sends the request, before its body is read. */
  belongsTo(owner: string): void;
  /** Counts a call of a sender who is not known, once per request. Throws beyond the limit of its address. */
  countOpen(): void;
  /** Counts more bytes, or fewer. Throws if there is no room for them. */
  grow(bytes: number): void;
  /** Counts more bytes if fewer than these are counted. */
  growTo(bytes: number): void;
  /** Counts bytes until the returned object is released. */
  lend(bytes: number): { release(): void };
  /** Keeps the bytes counted until the work has ended, even if the answer goes out before. */
  keepFor(work: Promise<unknown>): void;
  release(): void;
}

class CountedRequest implements RequestMemory {
  readonly #budget: FairBudget;
  readonly #openCalls: Throttle;
  readonly #perMinute: number;
  readonly #address: () => string;
  #owner: string | undefined;
  #held: HeldBytes | undefined;
  #isCounted = false;
  #works = 0;
  #isOver = false;

  constructor(budget: FairBudget, openCalls: Throttle, perMinute: number, address: () => string) {
    this.#budget = budget;
    this.#openCalls = openCalls;
    this.#perMinute = perMinute;
    this.#address = address;
  }

  get isOpen(): boolean {
    return this.#owner === undefined;
  }

  belongsTo(owner: string): void {
    this.#owner = owner;
  }

  countOpen(): void {
    if (this.#isCounted) return;
    this.#isCounted = true;
    const network = networkOf(this.#address());
    const max = this.#perMinute;
    if (this.#openCalls.take(network, max)) return;
    const waitMs = Math.max(1, this.#openCalls.waitMs(network));
    const seconds = Math.ceil(waitMs / 1_000);
    const message =
      `Rate limit reached for calls of one address that show no key or session: limit ${max} per minute. ` +
      `Please try again in ${seconds}s.`;
    throw new Fault("rate_limit_exceeded", message, {
      headers: {
        "retry-after": String(seconds),
        "retry-after-ms": String(waitMs),
        "x-faregate-limit": "address",
      },
    });
  }

  grow(bytes: number): void {
    if (this.#isOver) return;
    const owner = this.#owner ?? `address ${networkOf(this.#address())}`;
    this.#held ??= new HeldBytes(this.#budget, owner, bufferFull);
    this.#held.grow(bytes);
  }

  growTo(bytes: number): void {
    this.grow(Math.max(0, bytes - (this.#held?.taken ?? 0)));
  }

  lend(bytes: number): { release(): void } {
    this.grow(bytes);
    return { release: () => this.grow(-bytes) };
  }

  keepFor(work: Promise<unknown>): void {
    this.#works++;
    const end = () => {
      this.#works--;
      if (this.#isOver) this.release();
    };
    work.then(end, end);
  }

  release(): void {
    this.#isOver = true;
    if (this.#works === 0) this.#held?.release();
  }
}

/** The memory that all bodies take which a process reads, shared fairly by their senders. */
export class BodyMemory {
  readonly #budget: FairBudget;
  readonly #openCalls: Throttle;
  readonly #perMinute: number;

  constructor(limits: MemoryLimits, clock: Clock) {
    this.#budget = new FairBudget(limits.office_body_bytes_in_flight_max);
    this.#perMinute = limits.open_calls_per_minute;
    this.#openCalls = new Throttle(MINUTE_MS, clock);
  }

  /** The bytes that are counted now. */
  get taken(): number {
    return this.#budget.taken;
  }

  /** The memory of one request from an address. */
  ofRequest(address: () => string): RequestMemory {
    return new CountedRequest(this.#budget, this.#openCalls, this.#perMinute, address);
  }
}
