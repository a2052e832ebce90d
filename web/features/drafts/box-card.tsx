import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { GitCompareArrows, History, Send, Trash2 } from "lucide-react";
import { useState } from "react";
import type { ArticleDoc } from "../../../src/drafts/contract/article.ts";
import type { Draft } from "../../../src/drafts/contract/draft.ts";
import type { PublicAccount } from "../../../src/drafts/contract/public-account.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { useHere } from "../../lib/here.ts";
import { lazyPart } from "../../lib/lazy-part.tsx";
import { useSession } from "../../lib/session.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Code } from "../../ui/code.tsx";
import { Asked } from "../../ui/dialogs/confirm.tsx";
import { Field } from "../../ui/field.tsx";
import { Money } from "../../ui/money.tsx";
import { Select } from "../../ui/select.tsx";
import { useAction } from "../../ui/toasts/toast.tsx";
import { DraftState } from "./draft-status.tsx";
import type { WorkingCopy } from "./editor/working-copy.ts";
import { MaterialLink } from "./material-link.tsx";

const HistoryDrawer = lazyPart(() => import("./editor/history-drawer.tsx"), "HistoryDrawer");
const ReadBackDialog = lazyPart(() => import("./push/read-back-dialog.tsx"), "ReadBackDialog");

interface BoxCardProps {
  readonly draft: Draft;
  readonly accounts: readonly PublicAccount[] | undefined;
  readonly copy: WorkingCopy;
  /** Of models that wrote a part of it; null where there is none to tell. */
  readonly cost: string | null;
  readonly canEdit: boolean;
}

/** Where the draft goes, what is there of it, and what can be done with that. */
export function BoxCard(props: BoxCardProps) {
  const { draft, cost } = props;
  const { t } = useSpeech();
  return (
    <Card title={t("drafts.box")} action={<DraftState draft={draft} />}>
      <div className="flex flex-col gap-4">
        <AccountField {...props} />
        {draft.media_id ? (
          <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-5 gap-y-1 text-sm">
            <dt className="text-muted">media_id</dt>
            <dd className="min-w-0">
              <Code>{draft.media_id}</Code>
            </dd>
            {cost !== null && (
              <>
                <dt className="text-muted">{t("drafts.modelCost")}</dt>
                <dd>
                  <Money amount={cost} />
                </dd>
              </>
            )}
          </dl>
        ) : (
          <p className="text-sm text-muted">{t("drafts.boxNone")}</p>
        )}
        {draft.status === "removed" && <p className="text-sm text-muted">{t("drafts.boxGone")}</p>}
        <BoxActions {...props} />
      </div>
    </Card>
  );
}

/** A draft that is in no box can go to another one. */
function AccountField({ draft, accounts, copy, canEdit }: BoxCardProps) {
  const { t } = useSpeech();
  const { path } = useSession();
  const isFree = draft.status === "local" || draft.status === "refused";
  const move = useAction(
    async (account: string) => {
      await copy.flush();
      const address = path(`/drafts/${draft.id}`);
      const { articles, version } = await api.get<Draft>(address);
      return api.put<Draft>(address, { articles, base: version, account });
    },
    { refresh: [path("/drafts")] },
  );
  const choices = (accounts ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Field
      label={t("drafts.account")}
      hint={!isFree && t("drafts.accountFixed")}
      className="max-w-xs"
    >
      <Select
        value={draft.public_account_id}
        choices={choices.length > 0 ? choices : [{ value: draft.public_account_id, label: "…" }]}
        disabled={!canEdit || !isFree || move.unseen}
        onChange={move.run}
      />
    </Field>
  );
}

function BoxActions({ draft, accounts, copy, canEdit }: BoxCardProps) {
  const { t } = useSpeech();
  const [open, setOpen] = useState<"history" | "compare">();
  const close = () => setOpen(undefined);
  const account = accounts?.find(({ id }) => id === draft.public_account_id);
  const isThere = draft.status === "in_box";
  const canPublish =
    canEdit && account?.can_publish && isThere && draft.version === draft.pushed_version;
  const restore = (articles: readonly ArticleDoc[]) => copy.change(() => articles, { now: true });
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="small" onClick={() => setOpen("history")}>
        <History size={14} />
        {t("drafts.history")}
      </Button>
      {isThere && (
        <Button size="small" onClick={() => setOpen("compare")}>
          <GitCompareArrows size={14} />
          {t("drafts.readBack")}
        </Button>
      )}
      <MaterialLink
        size="small"
        path={draft.media_id ? account?.material_path : undefined}
        mediaId={draft.media_id}
      />
      {canPublish && <PublishButton draft={draft} account={account} />}
      {canEdit && <DeleteButton draft={draft} isThere={isThere} />}
      {open === "history" && (
        <HistoryDrawer draft={draft} canEdit={canEdit} onRestore={restore} onClose={close} />
      )}
      {open === "compare" && <ReadBackDialog draft={draft} onClose={close} />}
    </div>
  );
}

interface PublishButtonProps {
  readonly draft: Draft;
  readonly account: PublicAccount;
}

function PublishButton({ draft, account }: PublishButtonProps) {
  const { t } = useSpeech();
  const { path } = useSession();
  return (
    <Asked
      button={{ size: "small" }}
      icon={<Send size={14} />}
      title={t("drafts.publishTitle")}
      action={t("drafts.publish")}
      call={() => api.post<Draft>(path(`/drafts/${draft.id}/publish`))}
      refresh={[path("/drafts")]}
      done={t("drafts.published")}
    >
      {t("drafts.publishHint", { account: account.name })}
    </Asked>
  );
}

function DeleteButton({ draft, isThere }: { readonly draft: Draft; readonly isThere: boolean }) {
  const { t } = useSpeech();
  const { path, place } = useSession();
  const navigate = useNavigate();
  const client = useQueryClient();
  const here = useHere();
  const leave = () => {
    // The list is asked for again; the draft's own address no more.
    void client.invalidateQueries({ queryKey: [path("/drafts")] });
    if (here.current) void navigate({ to: place("/drafts") });
  };
  return (
    <Asked
      button={{ kind: "danger", size: "small" }}
      icon={<Trash2 size={14} />}
      title={t("drafts.deleteTitle")}
      action={t("drafts.delete")}
      call={() => api.delete(path(`/drafts/${draft.id}`))}
      done={t("drafts.deleted")}
      onDone={leave}
    >
      {t(isThere ? "drafts.deleteHintBox" : "drafts.deleteHint")}
    </Asked>
  );
}
