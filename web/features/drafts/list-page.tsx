import { useNavigate } from "@tanstack/react-router";
import { Download, Newspaper, Plus, Radio, Sparkles } from "lucide-react";
import { useState } from "react";
import type { Draft, DraftLine, Written } from "../../../src/drafts/contract/draft.ts";
import type { PublicAccount } from "../../../src/drafts/contract/public-account.ts";
import { type Speech, useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { useFilters } from "../../lib/filters.ts";
import { newIntent } from "../../lib/intents/intent.ts";
import { lazyPart } from "../../lib/lazy-part.tsx";
import { Link, TEXT_LINK } from "../../lib/link.tsx";
import { useRefresh, useRows } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { column, timeColumn, useColumns } from "../../ui/tables/columns.tsx";
import { OPENS } from "../../ui/tables/opening-rows.ts";
import { type Column, DataTable } from "../../ui/tables/table.tsx";
import { useAction } from "../../ui/toasts/toast.tsx";
import { DraftState } from "./draft-status.tsx";
import { EMPTY_ARTICLE } from "./editor/article-edit.ts";
import { useLook } from "./looking.ts";

const AccountsDialog = lazyPart(() => import("./accounts/accounts-dialog.tsx"), "AccountsDialog");
const WriteDialog = lazyPart(() => import("./write-dialog.tsx"), "WriteDialog");
const ImportDialog = lazyPart(() => import("./import-dialog.tsx"), "ImportDialog");

function columnsOf(
  { t }: Speech,
  accounts: readonly PublicAccount[] | undefined,
): readonly Column<DraftLine>[] {
  return [
    column("title", t("drafts.column_title"), (draft) => <DraftTitle draft={draft} />, {
      sort: ({ articles }) => articles[0]?.title ?? "",
    }),
    column("status", t("words.status"), (draft) => <DraftState draft={draft} />, {
      sort: ({ status }) => status,
    }),
    {
      id: "account",
      header: t("drafts.column_account"),
      wide: true,
      cell: (draft) => accounts?.find(({ id }) => id === draft.public_account_id)?.name ?? "",
    },
    {
      id: "media",
      header: t("drafts.column_media"),
      wide: true,
      cell: ({ media_id }) =>
        media_id && (
          <code className="block w-32 truncate font-mono text-xs text-muted" title={media_id}>
            {media_id}
          </code>
        ),
    },
    timeColumn("updated", t("drafts.column_updated"), (row) => row.updated_at, {
      align: "right",
      wide: true,
    }),
  ];
}

function DraftTitle({ draft }: { readonly draft: DraftLine }) {
  const { t } = useSpeech();
  const { articles, id } = draft;
  return (
    <div className="min-w-0 sm:min-w-48">
      <Link {...OPENS} to={`/drafts/${id}`} className="font-medium break-words hover:underline">
        {articles[0]?.title || t("drafts.untitled")}
      </Link>
      {articles.length > 1 && (
        <p className="text-xs text-muted">
          {t("drafts.moreArticles", { count: articles.length - 1 })}
        </p>
      )}
    </div>
  );
}

/** A draft is made on the server at once, so that nothing of it is ever only in a browser. */
function useNewDraft() {
  const { path, place } = useSession();
  const navigate = useNavigate();
  // The page is left when the draft is there: until then every click means the same one.
  const [intent] = useState(newIntent);
  const { run, unseen } = useAction(
    () => api.post<Draft>(path("/drafts"), { articles: [EMPTY_ARTICLE] }, { intent }),
    { refresh: [path("/drafts")] },
  );
  const open = ({ id }: Draft) => void navigate({ to: place(`/drafts/${id}`) });
  return { create: () => run(undefined, open), busy: unseen };
}

/** Nothing is made before the model has answered. Who closes the dialog before that finds it in the list. */
function Writer({ onClose }: { readonly onClose: () => void }) {
  const { path, place } = useSession();
  const navigate = useNavigate();
  const refresh = useRefresh();
  const open = ({ draft_id }: Written) => {
    refresh([path("/drafts")]);
    void navigate({ to: place(`/drafts/${draft_id}`) });
  };
  return <WriteDialog replaces={false} onWritten={open} onClose={onClose} />;
}

type Dialog = "accounts" | "import" | "write";

interface ButtonsProps {
  readonly create: () => void;
  readonly busy: boolean;
  readonly open: (dialog: Dialog) => void;
}

/** The two ways to a new draft. */
function NewButtons({ create, busy, open }: ButtonsProps) {
  const { t } = useSpeech();
  const { may } = useSession();
  if (!may("member")) return null;
  return (
    <>
      <Button onClick={() => open("write")}>
        <Sparkles size={15} />
        {t("drafts.write")}
      </Button>
      <Button kind="primary" busy={busy} onClick={create}>
        <Plus size={16} />
        {t("drafts.new")}
      </Button>
    </>
  );
}

function Actions(props: ButtonsProps) {
  const { t } = useSpeech();
  const { may } = useSession();
  return (
    <>
      <Button onClick={() => props.open("accounts")}>
        <Radio size={15} />
        {t("drafts.accounts")}
      </Button>
      {may("member") && (
        <Button onClick={() => props.open("import")}>
          <Download size={15} />
          {t("drafts.import")}
        </Button>
      )}
      <NewButtons {...props} />
    </>
  );
}

export function DraftsPage() {
  const { t } = useSpeech();
  const { path, may } = useSession();
  const rows = useRows<DraftLine>(path("/drafts"));
  useLook();
  const accounts = useRows<PublicAccount>(path("/public-accounts")).data;
  const columns = useColumns(columnsOf, accounts);
  const { values, set } = useFilters(["dialog"]);
  const buttons = { ...useNewDraft(), open: (dialog: Dialog) => set({ dialog }) };
  const close = () => set({ dialog: undefined });
  const material = accounts?.find(({ material_path }) => material_path)?.material_path;
  const empty = (
    <EmptyState
      icon={<Newspaper size={28} />}
      title={t("drafts.emptyTitle")}
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <NewButtons {...buttons} />
        </div>
      }
    >
      {t("drafts.emptyHint")}
    </EmptyState>
  );
  return (
    <>
      <PageHeader
        title={t("drafts.title")}
        description={t("drafts.description")}
        actions={<Actions {...buttons} />}
      />
      <Card flush>
        <DataTable label={t("drafts.tableLabel")} columns={columns} rows={rows} empty={empty} />
      </Card>
      {material && (
        <p className="mt-2 text-[13px]">
          <a href={material} className={TEXT_LINK}>
            {t("drafts.materialPage")}
          </a>
        </p>
      )}
      {values.dialog === "accounts" && <AccountsDialog onClose={close} />}
      {values.dialog === "write" && may("member") && <Writer onClose={close} />}
      {values.dialog === "import" && may("member") && <ImportDialog onClose={close} />}
    </>
  );
}
