import type { Hit } from "../../src/console/contract/search.ts";

export const HIT_KINDS = ["account", "key", "model", "person", "request", "draft"] as const;

const PAGES: Readonly<Record<Hit["kind"], (id: string) => string>> = {
  account: () => "",
  key: (id) => `/keys/${id}`,
  model: (id) => `/models?model=${encodeURIComponent(id)}`,
  person: () => "/team",
  request: (id) => `/requests?request=${encodeURIComponent(id)}`,
  draft: (id) => `/drafts/${id}`,
};

/** Where a hit leads: to one's own pages, or to those that operators have of another account. */
export function addressOf({ kind, id, account_id: account }: Hit, ownAccount: string): string {
  const page = PAGES[kind](id);
  const own = account === null || account === ownAccount;
  return own && kind !== "account" ? page : `/operator/accounts/${account}${page}`;
}

/** Each thing once, the first who found it first. */
export function mergeHits(...lists: readonly (readonly Hit[])[]): readonly Hit[] {
  const found = new Map<string, Hit>();
  for (const hit of lists.flat()) {
    const name = `${hit.kind} ${hit.id} ${hit.account_id}`;
    if (!found.has(name)) found.set(name, hit);
  }
  return [...found.values()];
}

/** One letter finds too much, one sign of Chinese does not. */
export function isWorthAsking(text: string): boolean {
  return text.length > 1 || /\p{Script=Han}/u.test(text);
}
