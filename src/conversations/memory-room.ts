/** What somebody has in the room. */
interface Kept {
  readonly bytes: number;
  /** Called when there is no room for it any more. */
  forget(): void;
}

interface Tenant {
  bytes: number;
  /** In the order in which they came. */
  readonly kept: Set<Kept>;
}

/**
 * Memory that connections share, bounded in all. Where it is full, whoever has most of it loses what they have had
 * for longest: nobody can have others forget by filling it.
 */
export class MemoryRoom {
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
    if (!most || !oldest) throw new Error("a room that is empty cannot be full");
    this.release(most[0], oldest);
    oldest.forget();
  }
}
