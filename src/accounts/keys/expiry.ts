/** A key that ends in this year or later is meant to stay: it is made without an end. */
export const EXPIRY_YEAR_MAX = 2100;

export function endsTooLate(atMs: number): boolean {
  return new Date(atMs).getUTCFullYear() >= EXPIRY_YEAR_MAX;
}

export function hasExpired(key: { readonly expiresAtMs: number | null }, nowMs: number): boolean {
  return key.expiresAtMs !== null && key.expiresAtMs <= nowMs;
}
