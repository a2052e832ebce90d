/** Far longer than any vendor's ids, and far below what an index of PostgreSQL takes, which is some 2,700 bytes. */
const NAME_CHARS_MAX = 256;

/** Whether every database can keep it, and look for it. */
function isText(id: string): boolean {
  return id.isWellFormed() && !id.includes("\0");
}

/**
 * What an item is kept by. Clients make up ids as they like: one that not every database can keep, or find, goes by its
 * digest. Which item of a turn is meant, the turn itself says, where ids are as they were sent.
 */
export function itemName(id: string): string {
  if (id.length <= NAME_CHARS_MAX && isText(id)) return id;
  // Written as JSON, halves of characters stay different from each other.
  return `sha256:${Bun.SHA256.hash(JSON.stringify(id), "hex")}`;
}

/** What an item is looked for by, one after the other: earlier releases kept long ids as they are. */
export function itemNames(id: string): ReadonlySet<string> {
  return new Set(isText(id) ? [itemName(id), id] : [itemName(id)]);
}
