import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState, useSyncExternalStore } from "react";
import type { ArticleDoc } from "../../../../src/drafts/contract/article.ts";
import type { Draft } from "../../../../src/drafts/contract/draft.ts";
import { ApiError, api, isMissing } from "../../../lib/api.ts";
import { NOT_SIGNED_IN } from "../../../lib/auth/signed-out.ts";
import { meQuery, useSession } from "../../../lib/session.tsx";
import { HeldCopy } from "./held-copy.ts";
import type { SaveState } from "./saver.ts";

type Articles = readonly ArticleDoc[];

/** At once, for what is chosen rather than typed, so that the preview follows. */
export interface Moment {
  readonly now?: boolean;
}

export interface WorkingCopy {
  readonly articles: Articles;
  readonly state: SaveState;
  /** Changes what is there at this moment, which may have been written on since the change began. */
  readonly change: (edit: (articles: Articles) => Articles, options?: Moment) => void;
  /** Resolves once everything is on the server; false where that did not work. */
  readonly flush: () => Promise<boolean>;
  /** What the server has, in place of what is here. */
  readonly takeTheirs: () => Promise<void>;
  /** What is here, on top of what the server has. */
  readonly keepMine: () => Promise<void>;
}

function isUnfit(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 400 || error.status === 413);
}

function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.code === "edit_conflict";
}

function later(work: () => void, ms: number): () => void {
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
}

/** What is being written, and how it gets to the server. `draft` is what the server has. */
export function useWorkingCopy(draft: Draft): WorkingCopy {
  const { me, path } = useSession();
  const client = useQueryClient();
  const address = path(`/drafts/${draft.id}`);
  const keep = (saved: Draft) => {
    client.setQueryData([address, {}], saved);
    // The list is asked for again when somebody looks at it.
    void client.invalidateQueries({ queryKey: [path("/drafts")], refetchType: "none" });
  };
  const send = async (articles: Articles, base: number) => {
    // It goes out as the writer's, and not as that of whoever has signed in here since.
    const user = client.getQueryData(meQuery.queryKey)?.user;
    if (user?.id !== me.user.id) throw new ApiError(401, NOT_SIGNED_IN, "", null);
    const saved = await api.put<Draft>(address, { articles, base });
    keep(saved);
    return saved.version;
  };
  const [held] = useState(() => {
    const ways = { send, isUnfit, isConflict, isGone: isMissing, later };
    return HeldCopy.of<Articles>(`${me.user.id} ${address}`, draft.articles, draft.version, ways);
  });
  const { saver } = held;
  const { copy: articles, state } = useSyncExternalStore(held.subscribe, () => held.shown);
  useEffect(() => {
    // What could not be saved before is tried by whoever comes back to it.
    if (saver.state === "failed") void saver.flush();
    return () => saver.stop();
  }, [saver]);
  // Somebody else has saved and nothing is written here: theirs is shown.
  useEffect(() => {
    if (saver.state !== "saved" || draft.version <= saver.version) return;
    saver.restart(draft.version);
    held.show(draft.articles);
  }, [saver, held, draft]);

  const read = () => api.get<Draft>(address);
  return {
    articles,
    state,
    change: (edit, options) => {
      const next = edit(held.shown.copy);
      held.show(next);
      saver.change(next, options);
    },
    flush: () => saver.flush(),
    takeTheirs: async () => {
      const theirs = await read();
      saver.restart(theirs.version);
      held.show(theirs.articles);
      keep(theirs);
    },
    keepMine: async () => {
      const theirs = await read();
      saver.restart(theirs.version, held.shown.copy);
    },
  };
}
