import { judge, type Scope, type Verdict } from "../admission/judge.ts";
import type { NanoUsd } from "../catalogue/money.ts";

interface OpenScope {
  readonly id: string;
  readonly kind: "balance" | "budget";
  readonly max: NanoUsd | null;
  used: NanoUsd;
  held: NanoUsd;
  usedMoved: NanoUsd;
  heldMoved: NanoUsd;
}

/** A change to one scope, relative, so that what another process wrote meanwhile stays. */
export interface ScopeMove {
  readonly id: string;
  readonly used: NanoUsd;
  readonly held: NanoUsd;
}

/**
 * The scopes a batch touches, as they stand after each of its operations. Decisions are made here
 * and written once per scope at the end of the batch.
 */
export class ScopeBook {
  readonly #scopes = new Map<string, OpenScope>();
  readonly #ofKey = new Map<string, OpenScope[]>();
  /** Scopes in which an earlier request of the batch was told to wait: nobody may overtake it. */
  readonly #blocked = new Set<string>();

  has(keyId: string): boolean {
    return this.#ofKey.has(keyId);
  }

  /** Notes the scopes of a key, as read inside the batch's transaction. */
  load(keyId: string, scopes: readonly Scope[]): void {
    // Judging by half of the scopes would let through what the other half forbids.
    for (const kind of ["balance", "budget"]) {
      if (!scopes.some((scope) => scope.kind === kind))
        throw new Error(`key ${keyId} has no ${kind}`);
    }
    const open = scopes.map((scope) => {
      const known = this.#scopes.get(scope.id);
      if (known) return known;
      const entry: OpenScope = { ...scope, usedMoved: 0n, heldMoved: 0n };
      this.#scopes.set(scope.id, entry);
      return entry;
    });
    this.#ofKey.set(keyId, open);
  }

  #of(keyId: string): OpenScope[] {
    const scopes = this.#ofKey.get(keyId);
    if (!scopes) throw new Error(`the scopes of key ${keyId} are not loaded`);
    return scopes;
  }

  /**
   * Judges a request and, when it is admitted, takes its hold. `behind` names a scope in which
   * others wait already: the request may still be refused, but it does not overtake them.
   */
  admit(keyId: string, wanted: NanoUsd, behind: string | null): Verdict {
    const scopes = this.#of(keyId);
    const verdict = judge(scopes, wanted);
    if (verdict.kind === "wait") this.#blocked.add(verdict.scopeId);
    if (verdict.kind !== "admit") return verdict;
    const ahead = behind ?? scopes.find((scope) => this.#blocked.has(scope.id))?.id;
    if (ahead !== undefined && wanted > 0n) return { kind: "wait", scopeId: ahead };
    this.move(keyId, 0n, verdict.hold);
    return verdict;
  }

  move(keyId: string, used: NanoUsd, held: NanoUsd): void {
    for (const scope of this.#of(keyId)) {
      scope.used += used;
      scope.held += held;
      scope.usedMoved += used;
      scope.heldMoved += held;
    }
  }

  /** What has to be written, in id order. */
  moves(): ScopeMove[] {
    return [...this.#scopes.values()]
      .filter((scope) => scope.usedMoved !== 0n || scope.heldMoved !== 0n)
      .map((scope) => ({ id: scope.id, used: scope.usedMoved, held: scope.heldMoved }))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  }
}
