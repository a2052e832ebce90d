const SUFFIX = /_(?:back|won)$/;

/** The id of the entry that undoes a debit: one that did not happen, or a dispute that was won. */
export function restoreId(debitId: string, why: "back" | "won"): string {
  return `${debitId}_${why}`;
}

/** The id of the debit that such an entry undoes. */
export function undoneBy(id: string): string {
  return id.replace(SUFFIX, "");
}
