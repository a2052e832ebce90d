import { Megaphone, Send, Trash2 } from "lucide-react";
import { useState } from "react";
import type { Publish } from "../../src/console/contract/material.ts";
import { useSpeech } from "../i18n/language.tsx";
import { ApiError, api, OWN_WORDS } from "../lib/api.ts";
import { Button } from "../ui/button.tsx";
import { Confirm } from "../ui/dialogs/confirm.tsx";
import { useAction, useToast } from "../ui/toasts/toast.tsx";
import { useAddress } from "./address.ts";

type Action = "massSend" | "publish" | "delete";

interface DraftActionsProps {
  readonly title: string;
  /** Of the account in the API. */
  readonly path: string;
  /** Of the draft in the API. */
  readonly own: string;
}

/** Only a publish has a status. */
type Done = Partial<Publish>;

const OK = 200;
const DONE = 0;
const UNDER_WAY = 1;

function call(own: string, action: Action): Promise<Done> {
  if (action === "delete") return api.delete<Done>(own);
  return api.post<Done>(`${own}/${action === "publish" ? "publish" : "mass-send"}`);
}

/** What can become of a draft. Each of these takes it out of the box. */
export function DraftActions({ title, path, own }: DraftActionsProps) {
  const { t } = useSpeech();
  const { stay } = useAddress();
  const toast = useToast();
  const [asked, setAsked] = useState<Action>();
  const close = () => setAsked(undefined);
  const words = (action: Action, status: number) => {
    if (action === "massSend") return t("material.massSent");
    if (action === "delete") return t("material.deleted");
    return t(status === DONE ? "material.publishDone" : "material.publishUnderWay");
  };
  const change = useAction(async (action: Action) => ({ action, ...(await call(own, action)) }), {
    refresh: [path],
    // Before the list is asked for again: without the draft there are no buttons that could tell.
    onDone: ({ action, status = DONE }) => {
      close();
      if (status === DONE || status === UNDER_WAY) {
        stay({ draft: undefined, article: undefined });
        toast.done(words(action, status));
      } else {
        const failure = t("material.publishFailed", { status });
        toast.failed(new ApiError(OK, OWN_WORDS, failure, null));
      }
    },
    onFailed: close,
  });
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="small" onClick={() => setAsked("massSend")}>
        <Megaphone size={14} />
        {t("material.massSend")}
      </Button>
      <Button size="small" kind="primary" onClick={() => setAsked("publish")}>
        <Send size={14} />
        {t("material.publish")}
      </Button>
      <Button size="small" kind="danger" onClick={() => setAsked("delete")}>
        <Trash2 size={14} />
        {t("words.delete")}
      </Button>
      {asked && (
        <Confirm
          open
          title={t(`material.${asked}Title`)}
          action={asked === "delete" ? t("words.delete") : t(`material.${asked}`)}
          busy={change.busy}
          onConfirm={() => change.run(asked)}
          onClose={close}
        >
          {t(`material.${asked}Hint`, { title })}
        </Confirm>
      )}
    </div>
  );
}
