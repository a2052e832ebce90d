// What a price is called on receipts: `2026-11-01`, `2026-11-01/peak`, `2026-11-01+20%`, `console/2026-12-01`.

const MARKED = /\+(?<percent>\d+(?:\.\d+)?)%(?=\/|$)/;
const OWN = /^(?:faregate\.yaml|console)(?=\/|$)/;

export function markedVersion(version: string, percent: string): string {
  return `${version}+${percent}%`;
}

/** The markup that a price was made with; undefined for one that has none. */
export function markupIn(version: string): string | undefined {
  return MARKED.exec(version)?.groups?.percent;
}

/** Whether somebody here has set the price, instead of the shipped list. */
export function isOwnPrice(version: string): boolean {
  return OWN.test(version);
}

/**
 * The same price as customers are told of it: `plan/2026-11-01`. What a vendor takes and what is put on top
 * of that is between the vendor and the operator, so every version looks alike, marked up or not.
 */
export function planVersion(version: string): string {
  const day = version.replace(MARKED, "").replace(OWN, "").replace(/^\//, "");
  return day === "" ? "plan" : `plan/${day}`;
}
