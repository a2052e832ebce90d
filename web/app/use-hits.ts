import type { Hit } from "../../src/console/contract/search.ts";
import type { Page } from "../../src/lib/contract.ts";
import { useResource } from "../lib/queries.ts";
import { useSession } from "../lib/session.tsx";
import { isWorthAsking, mergeHits } from "./search-hits.ts";

/** What there is of these words: within the account, and for operators in all of them. */
export function useHits(text: string) {
  const { me, path } = useSession();
  const asked = isWorthAsking(text);
  const options = { enabled: asked, keep: true };
  const own = useResource<Page<Hit>>(path("/search"), { q: text }, options);
  const everywhere = useResource<Page<Hit>>(
    "/api/operator/search",
    { q: text },
    { ...options, enabled: asked && me.operator },
  );
  const answers = me.operator ? [own, everywhere] : [own];
  return {
    hits: asked ? mergeHits(...answers.map(({ data }) => data?.data ?? [])) : [],
    busy: asked && answers.some(({ isFetching }) => isFetching),
    failed: asked && answers.some(({ error }) => error !== null),
  };
}
