import type { Guards } from "../accounts/guards.ts";
import type { Model } from "../catalogue/models.ts";
import type { Incoming, Route } from "../lib/route.ts";
import { listAnswer, textParameter } from "./query.ts";
import type { Hit, SearchQuery, SearchStore } from "./store.ts";

interface SearchServices {
  readonly search: SearchStore;
  readonly models: () => readonly Model[];
  /** What accounts are called, by their ids. */
  namesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** Of each kind; whoever looks for more has a page with a filter. */
const HITS_OF_KIND_MAX = 5;

/** What was found, and what it is: the pages know where that leads. */
type Kind = "account" | "key" | "model" | "person" | "request" | "draft";

type Finding = readonly [Kind, (query: SearchQuery) => Promise<readonly Hit[]>];

const WITHIN = ["key", "person", "request", "draft"] as const;

function findingsOf(store: SearchStore): Readonly<Record<(typeof WITHIN)[number], Finding[1]>> {
  return {
    key: (query) => store.keys(query),
    person: (query) => store.people(query),
    request: (query) => store.requests(query),
    draft: (query) => store.drafts(query),
  };
}

/** Nothing but spaces asks for nothing. */
function wordsOf({ url }: Incoming): string {
  return textParameter(url.searchParams, "q")?.trim() ?? "";
}

async function ask(
  { namesOf }: SearchServices,
  findings: readonly Finding[],
  query: SearchQuery,
): Promise<readonly object[]> {
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
function modelsFor({ models }: SearchServices, text: string): readonly object[] {
  const wanted = text.toLowerCase();
  const matching = models().filter(({ id, displayName }) =>
    [id, displayName].some((name) => name.toLowerCase().includes(wanted)),
  );
  return matching.slice(0, HITS_OF_KIND_MAX).map(({ id, displayName }) => ({
    ...{ kind: "model" satisfies Kind, id, name: id, hint: displayName },
    ...{ account_id: null, account_name: null },
  }));
}

/** What is looked for by its name or id, in an account or in all of them. */
export function searchRoutes(services: SearchServices, guards: Guards): readonly Route[] {
  const { search } = services;
  const findings = findingsOf(search);
  const within = WITHIN.map((kind): Finding => [kind, findings[kind]]);
  const everywhere: readonly Finding[] = [
    ["account", (query) => search.accounts(query)],
    ...within,
  ];
  return [
    guards.account("GET", "/search", "viewer", async ({ incoming, accountId }) => {
      const text = wordsOf(incoming);
      if (text === "") return listAnswer([], null);
      const query = { text, accountId, limit: HITS_OF_KIND_MAX };
      const found = await ask(services, within, query);
      return listAnswer([...found, ...modelsFor(services, text)], null);
    }),
    guards.operator("GET", "/api/operator/search", async ({ incoming }) => {
      const text = wordsOf(incoming);
      if (text === "") return listAnswer([], null);
      return listAnswer(await ask(services, everywhere, { text, limit: HITS_OF_KIND_MAX }), null);
    }),
  ];
}
