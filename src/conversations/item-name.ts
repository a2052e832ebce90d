/** Far longer than any vendor's ids, and far below what an index of PostgreSQL takes, which is some 2,700 bytes. */
const NAME_CHARS_MAX = 256;

/**
 * What an item is found by. Clients make up ids as they like: one that not every database can keep, or find, goes by its
 * digest. Which item of a turn is meant, the turn itself says, where ids are as they were sent.
 */
export function itemName(id: string): string {
  const isPlain = id.length <= NAME_CHARS_MAX && id.isWellFormed() && !id.includes("\0");
  // Written as JSON, halves of characters stay different from each other.
  return isPlain ? id : `sha256:${Bun.SHA256.hash(JSON.stringify(id), "hex")}`;
}
