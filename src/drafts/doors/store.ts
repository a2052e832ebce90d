/** A key that this installation keeps the secret of, to call itself with. */
export interface KeptKey {
  readonly accountId: string;
  /** What it is for; an account has one for each. */
  readonly purpose: string;
  readonly keyId: string;
  readonly sealedSecret: string;
}

export interface KeptKeysStore {
  find(accountId: string, purpose: string): Promise<KeptKey | undefined>;
  /** False when there is one for this purpose already. */
  add(key: KeptKey): Promise<boolean>;
}

/** Where a running server is reached from this machine, for commands that are typed beside it. */
export interface ServingStore {
  find(): Promise<string | undefined>;
  save(address: string): Promise<void>;
  /** Only where it is still this one. */
  clear(address: string): Promise<void>;
}
