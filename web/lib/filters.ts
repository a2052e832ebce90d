import { useNavigate, useSearch } from "@tanstack/react-router";
import { type Query, withQuery } from "./api.ts";

/** Everything in the query string is text; a page makes of it what it needs. */
export type Search = Readonly<Record<string, string>>;

export function parseSearch(text: string): Search {
  return Object.fromEntries(new URLSearchParams(text));
}

export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  return withQuery("", search as Query);
}

/**
 * The filters of a page, which live in its address: they survive a reload, a bookmark and a message
 * to a colleague. `set` replaces the entry of the history, so that "back" leaves the page.
 */
export function useFilters<Name extends string>(names: readonly Name[]) {
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const values = Object.fromEntries(
    names.map((name) => [name, search[name] || undefined]),
  ) as Readonly<Record<Name, string | undefined>>;
  const set = (changes: Partial<Record<Name, string | undefined>>) => {
    // Of what the address has when it changes: a search that waits for its typing to rest must not take back
    // what was chosen meanwhile.
    const changed = (now: Search) => ({ ...now, ...changes });
    void navigate({ to: ".", search: changed as never, replace: true });
  };
  const clear = () => set(Object.fromEntries(names.map((name) => [name, undefined])) as never);
  return { values, set, clear, active: names.some((name) => values[name] !== undefined) };
}

export type Filters<Name extends string> = ReturnType<typeof useFilters<Name>>;
