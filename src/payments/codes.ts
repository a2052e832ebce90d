import type { AuditLog } from "../accounts/audit.ts";
import type { Principal } from "../accounts/guards.ts";
import { StoredThrottle, type TryWindows } from "../accounts/stored-throttle.ts";
import { formatUsd, type NanoUsd } from "../catalogue/money.ts";
import type { Clock } from "../lib/clock.ts";
import { Fault } from "../lib/faults.ts";
import { newId } from "../lib/ids.ts";
import type { Log } from "../telemetry/log.ts";
import { CODE_RANGE, readAmount } from "./amounts.ts";
import {
  type Batch,
  type Code,
  type CodeState,
  hashCode,
  type NewCode,
  newCodeText,
  plainCode,
} from "./code.ts";
import { eachOnItsOwn } from "./each.ts";
import type { PaymentLedger } from "./store.ts";
import type { CodeRows, CodesPage } from "./tables/codes.ts";

/** Failed tries within the window, of one account and from one address. */
const FAILURES_WINDOW_MS = 15 * 60_000;
const FAILURES_PER_ACCOUNT_MAX = 10;
const FAILURES_PER_ADDRESS_MAX = 20;

/** Whoever has taken a code credits it within so long, or has ended. */
const CREDITING_MS_MAX = 60_000;

interface BatchForm {
  readonly count: number;
  readonly amount: string;
  readonly expiresAtMs: number | null;
  readonly note: string;
}

interface CodesParts {
  readonly store: CodeRows;
  readonly ledger: PaymentLedger;
  readonly audit: AuditLog;
  readonly tries: TryWindows;
  readonly clock: Clock;
  readonly log: Log;
}

/** Codes that anybody may turn into credit, once. */
export class Codes {
  readonly #store: CodeRows;
  readonly #ledger: PaymentLedger;
  readonly #audit: AuditLog;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #failures: StoredThrottle;

  constructor({ store, ledger, audit, tries, clock, log }: CodesParts) {
    this.#store = store;
    this.#ledger = ledger;
    this.#audit = audit;
    this.#clock = clock;
    this.#log = log;
    this.#failures = new StoredThrottle(tries, FAILURES_WINDOW_MS, clock);
  }

  /** The codes are returned here and never seen again. */
  async createBatch(form: BatchForm): Promise<{ batch: Batch; codes: readonly string[] }> {
    const now = this.#clock();
    if (form.expiresAtMs !== null && form.expiresAtMs <= now) {
      throw new Fault("invalid_value", "The expiry must be in the future.", {
        param: "expires_at",
      });
    }
    const texts = Array.from({ length: form.count }, () => newCodeText());
    const codes: NewCode[] = texts.map((text) => ({
      id: newId("code_"),
      hash: hashCode(plainCode(text) as string),
      lastFour: text.slice(-4),
    }));
    const batch: Batch = {
      id: newId("batch_"),
      amount: readAmount(form.amount, "amount", CODE_RANGE),
      note: form.note,
      expiresAtMs: form.expiresAtMs,
      createdAtMs: now,
      codes: form.count,
      redeemed: 0,
      revoked: 0,
    };
    await this.#store.addBatch(batch, codes);
    return { batch, codes: texts };
  }

  listBatches(after: string | undefined, limit: number): Promise<readonly Batch[]> {
    return this.#store.listBatches(after, limit);
  }

  async batch(
    id: string,
    onlyUnused: boolean,
  ): Promise<{ batch: Batch; codes: readonly CodeState[] }> {
    const batch = await this.#find(id);
    return { batch, codes: await this.#store.listCodes(id, onlyUnused) };
  }

  /** Some of what became of its codes. */
  async page(id: string, page: CodesPage): Promise<readonly CodeState[]> {
    await this.#find(id);
    return this.#store.pageOfCodes(id, page);
  }

  /**
   * Ends one code of a batch, or all, as far as nobody has redeemed them: credit that somebody has is
   * theirs. How many were ended; again, it is none.
   */
  async revoke(id: string, codeId: string | undefined): Promise<{ batch: Batch; count: number }> {
    await this.#find(id);
    const count = await this.#store.revoke(id, codeId, this.#clock());
    return { batch: await this.#find(id), count };
  }

  async #find(id: string): Promise<Batch> {
    const batch = await this.#store.findBatch(id);
    if (!batch) throw new Fault("not_found", "There is no such batch of codes.");
    return batch;
  }

  /** The principal is who types it. */
  async redeem(
    accountId: string,
    typed: string,
    address: string,
    principal: Principal,
  ): Promise<Code> {
    const account = `codes of ${accountId}`;
    const place = `codes from ${address}`;
    await this.#failures.spend(account, FAILURES_PER_ACCOUNT_MAX);
    await this.#failures.spend(place, FAILURES_PER_ADDRESS_MAX);
    try {
      const code = await this.#take(accountId, typed, principal.name);
      await this.#credit(code, accountId, principal);
      await this.#giveBack(account, place);
      return code;
    } catch (thrown) {
      if (thrown instanceof Fault) {
        this.#log.warn("code_refused", { account: accountId, address, reason: thrown.message });
      }
      throw thrown;
    }
  }

  /** It is redeemed, whatever becomes of this. */
  async #giveBack(...names: readonly string[]): Promise<void> {
    try {
      for (const name of names) await this.#failures.giveBack(name);
    } catch (thrown) {
      this.#log.warn("code_try_counted", { thrown });
    }
  }

  async #take(accountId: string, typed: string, person: string): Promise<Code> {
    const plain = plainCode(typed);
    if (plain === undefined) throw unknown();
    const hash = hashCode(plain);
    const taken = await this.#store.take(hash, accountId, this.#clock(), person);
    if (taken) return taken;
    const known = await this.#store.find(hash);
    // The same words as for a text that cannot be a code: a guess learns nothing from its form.
    if (!known) throw unknown();
    // A try that ended before all was done is finished by the next one, which hears what the first should have.
    if (known.redeemedBy === accountId && !known.credited) return known;
    if (known.redeemedBy !== null) throw used();
    if (known.revokedAtMs !== null) {
      throw refused("code_revoked", "This code was withdrawn. Ask the person who gave it to you.");
    }
    throw refused("code_expired", "This code has expired.");
  }

  /** Every step may be done again, and counts once. */
  async #credit(code: Code, accountId: string, principal?: Principal): Promise<void> {
    const fresh = await this.#ledger.credit({
      id: code.id,
      accountId,
      amount: code.amount,
      kind: "topup",
      note: "Redeem code",
      createdAtMs: this.#clock(),
    });
    const amount = formatUsd(code.amount);
    await this.#audit.write({
      principal: redeemerOf(code, principal),
      ...{ accountId, action: "code.redeem", target: code.id, detail: { amount }, once: true },
    });
    // The last: what is not done by then is taken up again.
    await this.#store.markCredited(code.id);
    if (fresh) this.#log.info("code_redeemed", { code: code.id, amount });
  }

  /**
   * Finishes codes that were taken by a process that ended before all was done. One that is being credited at this
   * moment is left to whoever has taken it.
   */
  async reconcile(): Promise<number> {
    const owed = await this.#store.listOwed(this.#clock(), CREDITING_MS_MAX);
    await eachOnItsOwn(owed, this.#log, (code) => this.#credit(code, code.redeemedBy ?? ""));
    return owed.length;
  }
}

/** Who has taken the code, though somebody else finishes it; of those only the name is kept. */
function redeemerOf({ redeemedPerson }: Code, principal: Principal | undefined): Principal {
  if (principal && (redeemedPerson === null || redeemedPerson === principal.name)) return principal;
  return { userId: undefined, name: redeemedPerson ?? "", operator: false };
}

function used(): Fault {
  return refused("code_used", "This code has already been used.");
}

function unknown(): Fault {
  return refused("code_unknown", "This code is not valid. Check it for typing mistakes.");
}

/** The reason is for pages, which say it in their own language. */
function refused(reason: string, message: string): Fault {
  return new Fault("invalid_value", message, { param: "code", facts: { reason } });
}

/** What is left of unused codes is a liability that the operator wants to see. */
export function outstanding(batch: Batch): NanoUsd {
  return batch.amount * BigInt(batch.codes - batch.redeemed - batch.revoked);
}
