import { useSyncExternalStore } from "react";

/** What of the page lives in its address. */
type AddressParam = "account" | "view" | "draft" | "article" | "side";

type AddressParams = Readonly<Partial<Record<AddressParam, string>>>;

export const MATERIAL_PATH = "/platform/material";

const CHANGED = "faregate:address";

function subscribe(listener: () => void): () => void {
  const events = ["popstate", CHANGED];
  for (const name of events) addEventListener(name, listener);
  return () => {
    for (const name of events) removeEventListener(name, listener);
  };
}

/** The address with some of its places changed; an absent one is removed. */
export function addressWith(
  search: string,
  changes: Partial<Record<AddressParam, string | undefined>>,
) {
  const params = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) params.delete(name);
    else params.set(name, value);
  }
  const text = params.toString();
  return text === "" ? MATERIAL_PATH : `${MATERIAL_PATH}?${text}`;
}

/** The page's places, and ways to go to others: `go` leaves a step back, `stay` does not. */
export function useAddress() {
  const search = useSyncExternalStore(subscribe, () => location.search);
  const at: AddressParams = Object.fromEntries(new URLSearchParams(search));
  const move =
    (way: "pushState" | "replaceState") => (changes: Parameters<typeof addressWith>[1]) => {
      history[way](null, "", addressWith(location.search, changes));
      dispatchEvent(new Event(CHANGED));
    };
  return { at, go: move("pushState"), stay: move("replaceState") };
}
