/** Names the address at which a suite asks for what the run lends. */
export const LENDER_VARIABLE = "FAREGATE_TEST_LENDER";

export type Lent = "postgres" | "chromium";

/** The address of what this run lends; undefined for a suite that stands alone. */
export async function borrowed(what: Lent): Promise<string | undefined> {
  const lender = process.env[LENDER_VARIABLE];
  if (!lender) return undefined;
  const answer = await fetch(`${lender}/${what}`);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`the run could not start its ${what}: ${text}`);
  return text;
}
