import { useNavigate, useRouter, useSearch } from "@tanstack/react-router";
import { type Query, withQuery } from "./api.ts";

/** Everything in the query string is text; a page makes of it what it needs. */
export type Search = Readonly<Record<string, string>>;

export function parseSearch(text: string): Search {
  return Object.fromEntries(new URLSearchParams(text));
}

export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  return withQuery("", search as Query);
}

/** Marks an entry of the history that stands for something above the page of the entry before. */
const ABOVE = { isAbovePage: true };

let isGoingBack = false;

/** One entry back, however often it is asked for until the browser has got there. */
function goBackOnce(): void {
  if (isGoingBack) return;
  isGoingBack = true;
  const arrive = () => {
    isGoingBack = false;
  };
  addEventListener("popstate", arrive, { once: true });
  history.back();
}

/**
 * The filters of a page, which live in its address: they survive a reload, a bookmark and a message
 * to a colleague. `set` replaces the entry of the history, so that "back" leaves the page, but what was opened above it
 * first.
 */
export function useFilters<Name extends string>(names: readonly Name[]) {
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const router = useRouter();
  const values = Object.fromEntries(
    names.map((name) => [name, search[name] || undefined]),
  ) as Readonly<Record<Name, string | undefined>>;
  type Changes = Partial<Record<Name, string | undefined>>;
  const go = (changes: Changes, entry: object) => {
    // Of what the address has when it changes: a search that waits for its typing to rest must not take back
    // what was chosen meanwhile.
    const changed = (now: Search) => ({ ...now, ...changes });
    void navigate({ to: ".", search: changed as never, ...entry });
  };
  const set = (changes: Changes) => go(changes, { replace: true });
  /** Opens what lies above the page. It is an entry of its own, so that "back" closes it. */
  const open = (changes: Changes) => {
    const isOpen = (Object.keys(changes) as Name[]).some((name) => values[name] !== undefined);
    go(changes, isOpen ? { replace: true, state: true } : { state: ABOVE });
  };
  /** Closes what lies above the page. Where it was opened there, that is the entry before. */
  const close = (name: Name) => {
    if ("isAbovePage" in router.state.location.state) goBackOnce();
    else set({ [name]: undefined } as Changes);
  };
  const clear = () => set(Object.fromEntries(names.map((name) => [name, undefined])) as never);
  return {
    values,
    set,
    open,
    close,
    clear,
    active: names.some((name) => values[name] !== undefined),
  };
}

export type Filters<Name extends string> = ReturnType<typeof useFilters<Name>>;
