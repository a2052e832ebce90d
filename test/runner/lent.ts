/** Names the address at which a suite asks for what the run lends. */
export const LENDER_VARIABLE = "FAREGATE_TEST_LENDER";

/** Servers, by their addresses, and what has all tables: files by their folder, a database by its name. */
export type Lent = "postgres" | "chromium" | "files" | "template";

/** Where that is which this run lends; undefined for a suite that stands alone. */
export async function borrowed(what: Lent): Promise<string | undefined> {
  const lender = process.env[LENDER_VARIABLE];
  if (!lender) return undefined;
  const answer = await fetch(`${lender}/${what}`);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`the run could not start its ${what}: ${text}`);
  return text;
}
