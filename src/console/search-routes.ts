import type { Guards } from "../accounts/guards.ts";
import type { Model } from "../catalogue/models.ts";
import { shownList } from "../lib/listing.ts";
import type { Route } from "../lib/route.ts";
import { type Hit, SEARCH, SEARCH_EVERYWHERE } from "./contract/search.ts";
import type { Hit as Found, SearchQuery, SearchStore } from "./store.ts";

interface SearchServices {
  readonly search: SearchStore;
  readonly models: () => Promise<readonly Model[]>;
  /** What accounts are called, by their ids. */
  namesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** Of each kind; whoever looks for more has a page with a filter. */
const HITS_OF_KIND_MAX = 5;

type Finding = readonly [Hit["kind"], (query: SearchQuery) => Promise<readonly Found[]>];

async function ask(
  { namesOf }: SearchServices,
  findings: readonly Finding[],
  query: SearchQuery,
): Promise<readonly Hit[]> {
  const found = await Promise.all(
    findings.map(async ([kind, find]) => (await find(query)).map((hit) => ({ kind, ...hit }))),
  );
  const hits = found.flat();
  const names = await namesOf([...new Set(hits.map(({ accountId }) => accountId))]);
  return hits.map(({ accountId, ...hit }) => ({
    ...hit,
    account_id: accountId,
    account_name: names.get(accountId) ?? null,
  }));
}

/** Models are everybody's. */
async function modelsFor({ models }: SearchServices, text: string): Promise<readonly Hit[]> {
  const wanted = text.toLowerCase();
  const matching = (await models()).filter(({ id, displayName }) =>
    [id, displayName].some((name) => name.toLowerCase().includes(wanted)),
  );
  return matching.slice(0, HITS_OF_KIND_MAX).map(({ id, displayName }) => ({
    ...{ kind: "model", id, name: id, hint: displayName },
    ...{ account_id: null, account_name: null },
  }));
}

/** What is looked for by its name or id, in an account or in all of them. */
export function searchRoutes(services: SearchServices, guards: Guards): readonly Route[] {
  const { search } = services;
  const within: readonly Finding[] = [
    ["key", (query) => search.keys(query)],
    ["person", (query) => search.people(query)],
    ["request", (query) => search.requests(query)],
    ["draft", (query) => search.drafts(query)],
  ];
  const everywhere: readonly Finding[] = [
    ["account", (query) => search.accounts(query)],
    ...within,
  ];
  return [
    guards.account(SEARCH, "viewer", async ({ query, accountId }) => {
      const { q: text } = query();
      if (text === "") return shownList([]);
      const found = await ask(services, within, { text, accountId, limit: HITS_OF_KIND_MAX });
      return shownList([...found, ...(await modelsFor(services, text))]);
    }),
    guards.operator(SEARCH_EVERYWHERE, async ({ query }) => {
      const { q: text } = query();
      if (text === "") return shownList([]);
      return shownList(await ask(services, everywhere, { text, limit: HITS_OF_KIND_MAX }));
    }),
  ];
}
