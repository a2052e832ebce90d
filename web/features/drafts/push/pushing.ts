import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { Draft } from "../../../../src/drafts/contract/draft.ts";
import type { Problem } from "../../../../src/drafts/contract/preview.ts";
import type { Push, Receipt } from "../../../../src/drafts/contract/push.ts";
import type { Page } from "../../../../src/lib/contract.ts";
import { useSpeech } from "../../../i18n/language.tsx";
import { ApiError, api } from "../../../lib/api.ts";
import { useRefresh, useResource } from "../../../lib/queries.ts";
import { useSession } from "../../../lib/session.tsx";
import { inWords } from "../draft-calls.ts";
import type { WorkingCopy } from "../editor/working-copy.ts";

const LOOK_MS = 700;

export const STEPS = ["save", "check", "send", "read"] as const;
type Step = (typeof STEPS)[number];

/** What a push is doing is read from its row, which is written before each of its steps. */
function useStep(draft: Draft, isSaved: boolean, isRunning: boolean): Step {
  const { path } = useSession();
  const options = { enabled: isRunning && isSaved, refetchMs: LOOK_MS };
  const address = path(`/drafts/${draft.id}/pushes`);
  const { data } = useResource<Page<Push>>(address, { look: "live" }, options);
  if (!isSaved) return "save";
  // Until it sends it is checked and uploaded; a row of the push before this one has ended.
  return data?.data[0]?.state === "sending" ? "send" : "check";
}

export function usePushing(draft: Draft, copy: WorkingCopy) {
  const { t } = useSpeech();
  const { path } = useSession();
  const refresh = useRefresh();
  const [isOpen, setOpen] = useState(false);
  const [isSaved, setSaved] = useState(false);
  // Known at once: a second click may come before the page is drawn anew.
  const isSending = useRef(false);
  const push = useMutation({
    mutationFn: async (asNew: boolean) => {
      setSaved(false);
      if (!(await copy.flush())) throw inWords(t("drafts.save_conflict"));
      setSaved(true);
      const address = path(`/drafts/${draft.id}/push`);
      return api.post<Draft & { readonly receipt: Receipt }>(
        address,
        asNew ? { as_new: true } : {},
      );
    },
    onSettled: () => {
      isSending.current = false;
      refresh([path("/drafts")]);
    },
  });
  const step = useStep(draft, isSaved, push.isPending);
  return {
    /** A push is under way or has ended, and its dialog is open. */
    isOpen,
    /** Nothing more is sent until it has ended. */
    isRunning: push.isPending,
    step,
    receipt: push.data?.receipt,
    error: push.error as unknown,
    start: (asNew: boolean) => {
      if (isSending.current) return;
      isSending.current = true;
      setOpen(true);
      push.mutate(asNew);
    },
    close: () => setOpen(false),
  };
}

export type Pushing = ReturnType<typeof usePushing>;

/** The checks that a push has failed, pictures among them. */
export function problemsOf(error: unknown): readonly Problem[] {
  const problems = error instanceof ApiError ? error.facts.problems : undefined;
  return Array.isArray(problems) ? problems : [];
}
