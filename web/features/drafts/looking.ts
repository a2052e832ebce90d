import { useEffect } from "react";
import type { Draft } from "../../../src/drafts/contract/draft.ts";
import { useRefresh, useResource } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.tsx";

const MOVEMENT_MS = 3_000;

/**
 * Has the server find out what people have done with drafts on the platform, with one or with all of
 * them, and shows what is new. While one is being published it is asked again and again.
 */
export function useLook(draft?: Draft): void {
  const { path } = useSession();
  const refresh = useRefresh();
  const isMoving = draft?.status === "publishing";
  const { data } = useResource<{ readonly changed: number }>(
    path("/drafts/look"),
    draft ? { draft: draft.id } : {},
    {
      enabled: draft === undefined || isMoving || draft.status === "in_box",
      ...(isMoving && { refetchMs: MOVEMENT_MS }),
    },
  );
  const drafts = path("/drafts");
  const changed = data?.changed ?? 0;
  useEffect(() => {
    if (changed > 0) refresh([drafts]);
  }, [changed, drafts, refresh]);
}
