/** Where a running server is reached from this machine, for commands that are typed beside it. */
export interface ServingStore {
  find(): Promise<string | undefined>;
  save(address: string): Promise<void>;
  /** Only where it is still this one. */
  clear(address: string): Promise<void>;
}
