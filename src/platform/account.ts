export const ACCOUNT_TYPES = ["subscription", "service", "other"] as const;
type AccountType = (typeof ACCOUNT_TYPES)[number];

export const PRODUCT_RIGHTS = ["ok", "restricted", "off"] as const;
type ProductRight = (typeof PRODUCT_RIGHTS)[number];

/** A public account of this platform, as its endpoints see it: without its secret. */
export interface PublicAccount {
  readonly appid: string;
  /** Whose it is, in the words of those who hold it; the platform only compares it. */
  readonly owner: string;
  readonly name: string;
  readonly type: AccountType;
  readonly verified: boolean;
  readonly comments: boolean;
  readonly product: ProductRight;
  /** Addresses and ranges that may fetch tokens; none means everybody. */
  readonly networks: readonly string[];
  /** No token is given out for a frozen secret. Those that were given out go on. */
  readonly frozen: boolean;
  /** Where events are sent. */
  readonly callback: string | null;
  readonly createdAtMs: number;
}

/** What can be set about an account after it was made. */
export type AccountChanges = Partial<Omit<PublicAccount, "appid" | "owner" | "createdAtMs">>;
