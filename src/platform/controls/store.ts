/** The rows of each table, by its name. */
export type PlatformState = Readonly<
  Record<string, readonly Readonly<Record<string, string | number | null>>[]>
>;

/** Everything that the platform keeps, at once. */
export interface StateStore {
  dump(): Promise<PlatformState>;
  /** How many bytes of files a dump would hold. */
  fileBytes(): Promise<number>;
  /** Puts a dump in the place of what there is. False when it is none of this version. */
  restore(state: PlatformState): Promise<boolean>;
  /** Leaves only the accounts. */
  reset(): Promise<void>;
}
