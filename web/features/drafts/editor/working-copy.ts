import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { ArticleDoc } from "../../../../src/drafts/contract/article.ts";
import type { Draft } from "../../../../src/drafts/contract/draft.ts";
import { ApiError, api } from "../../../lib/api.ts";
import { useSession } from "../../../lib/session.tsx";
import { Saver, type SaveState } from "./saver.ts";

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

/** The browser asks before it throws away what is not saved. */
function useLeaveWarning(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [isUnsaved]);
}

/** What is being written, and how it gets to the server. `draft` is what the server has. */
export function useWorkingCopy(draft: Draft): WorkingCopy {
  const { path } = useSession();
  const client = useQueryClient();
  const address = path(`/drafts/${draft.id}`);
  const [articles, setArticles] = useState(draft.articles);
  const latest = useRef(articles);
  const show = (next: Articles) => {
    latest.current = next;
    setArticles(next);
  };
  const [state, setState] = useState<SaveState>("saved");
  const keep = (saved: Draft) => {
    client.setQueryData([address, {}], saved);
    // The list is asked for again when somebody looks at it.
    void client.invalidateQueries({ queryKey: [path("/drafts")], refetchType: "none" });
  };
  const [saver] = useState(
    () =>
      new Saver<Articles>(
        {
          send: async (copy, base) => {
            const saved = await api.put<Draft>(address, { articles: copy, base });
            keep(saved);
            return saved.version;
          },
          isUnfit,
          isConflict,
          onChange: setState,
          later,
        },
        draft.version,
      ),
  );
  useEffect(() => () => saver.stop(), [saver]);
  useLeaveWarning(state !== "saved");
  // Somebody else has saved and nothing is written here: theirs is shown.
  useEffect(() => {
    if (saver.state !== "saved" || draft.version <= saver.version) return;
    saver.restart(draft.version);
    latest.current = draft.articles;
    setArticles(draft.articles);
  }, [saver, draft]);

  const read = () => api.get<Draft>(address);
  return {
    articles,
    state,
    change: (edit, options) => {
      const next = edit(latest.current);
      show(next);
      saver.change(next, options);
    },
    flush: () => saver.flush(),
    takeTheirs: async () => {
      const theirs = await read();
      saver.restart(theirs.version);
      show(theirs.articles);
      keep(theirs);
    },
    keepMine: async () => {
      const theirs = await read();
      saver.restart(theirs.version, latest.current);
    },
  };
}
