/**
 * The secret is not the one that is needed. The message says what to do. Apart from what checks the secret,
 * because every command knows this mistake, and few have the tables to wait for.
 */
export class SecretError extends Error {
  override readonly name = "SecretError";
}
