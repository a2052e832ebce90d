/** The docs page of each page, and the place in it. What is not here begins at the console's own. */
export const HELP: Readonly<Record<string, string>> = {
  "/keys": "billing#budgets",
  "/usage": "billing#buckets",
  "/requests": "billing#refusals",
  "/wallet": "payments",
  "/models": "billing#prices",
  "/playground": "console#the-consoles-own-keys",
  "/drafts": "drafts",
  "/team": "console#roles",
  "/settings": "console#signing-in",
  "/operator": "console#pages",
  "/operator/alerts": "alerts#rules",
  "/operator/accounts": "payments#credit-by-the-operator",
  "/operator/channels": "vendors",
  "/operator/models": "billing#prices",
  "/operator/codes": "payments#redeem-codes",
  "/operator/ledger": "billing#holds",
  "/operator/audit": "console#pages",
  "/operator/settings": "console#signing-up",
  "/operator/system": "settings",
};

const DEFAULT_PAGE = "console#pages";
const ONE_ACCOUNT = "console#the-page-of-an-account";

/** The address of the docs for a path of the console; a page below another one has its help. */
export function helpFor(path: string): string {
  if (path.startsWith("/operator/accounts/")) return `/docs/${ONE_ACCOUNT}`;
  const found = Object.keys(HELP).find((start) => path === start || path.startsWith(`${start}/`));
  return `/docs/${(found && HELP[found]) ?? DEFAULT_PAGE}`;
}
