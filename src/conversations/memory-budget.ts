/** Something that an account keeps in the budget. */
interface Kept {
  readonly bytes: number;
  /** Called when it must go because the budget is full. */
  forget(): void;
}

interface Tenant {
  bytes: number;
  /** In the order in which they came. */
  readonly kept: Set<Kept>;
}

/**
 * A budget of memory that connections share. When it is full, the account with the most bytes loses its oldest thing.
 * So no account can fill the budget at the cost of others.
 */
export class MemoryBudget {
  readonly #bytesMax: number;
  readonly #tenants = new Map<string, Tenant>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** What is in it now, in all. */
  get bytes(): number {
    return this.#bytes;
  }

  keep(tenantId: string, kept: Kept): void {
    const tenant = this.#tenants.get(tenantId) ?? { bytes: 0, kept: new Set() };
    this.#tenants.set(tenantId, tenant);
    tenant.kept.add(kept);
    tenant.bytes += kept.bytes;
    this.#bytes += kept.bytes;
    while (this.#bytes > this.#bytesMax) this.#forgetOne();
  }

  release(tenantId: string, kept: Kept): void {
    const tenant = this.#tenants.get(tenantId);
    if (!tenant?.kept.delete(kept)) return;
    tenant.bytes -= kept.bytes;
    this.#bytes -= kept.bytes;
    if (tenant.kept.size === 0) this.#tenants.delete(tenantId);
  }

  #forgetOne(): void {
    let most: readonly [string, Tenant] | undefined;
    for (const each of this.#tenants) if (!most || each[1].bytes > most[1].bytes) most = each;
    const [oldest] = most?.[1].kept ?? [];
    if (!most || !oldest) throw new Error("an empty budget cannot be full");
    this.release(most[0], oldest);
    oldest.forget();
  }
}
