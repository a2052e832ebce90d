import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Draft } from "../../../src/drafts/contract/draft.ts";
import type { PublicAccount } from "../../../src/drafts/contract/public-account.ts";
import type { BoxItem, BoxPage } from "../../../src/drafts/contract/push.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { useErrorWords } from "../../lib/error-words.ts";
import { useHere } from "../../lib/here.ts";
import { useResource, useRows } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.tsx";
import { Notice } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { Select } from "../../ui/select.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Time } from "../../ui/time.tsx";
import { useAction } from "../../ui/toasts/toast.tsx";

const PAGE_SIZE = 20;

/** What lies in a box, whoever put it there; one of them is opened for editing. */
export function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useSpeech();
  const { path } = useSession();
  const accounts = useRows<PublicAccount>(path("/public-accounts")).data;
  const [wanted, setWanted] = useState<string>();
  const [offset, setOffset] = useState(0);
  const account =
    wanted ?? accounts?.find(({ is_default }) => is_default)?.id ?? accounts?.[0]?.id ?? "";
  const query = { account, offset };
  const { data, error } = useResource<BoxPage>(path("/drafts/box"), query, {
    enabled: account !== "",
  });
  return (
    <Dialog
      wide
      onClose={onClose}
      title={t("drafts.importTitle")}
      description={t("drafts.importHint")}
    >
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <Select
          label={t("drafts.account")}
          value={account}
          choices={(accounts ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(id) => {
            setWanted(id);
            setOffset(0);
          }}
          className="w-56 max-w-full"
        />
        <span className="text-[13px] text-muted tabular-nums">
          {data && t("drafts.importCount", { count: data.total })}
        </span>
      </div>
      <BoxList account={account} page={data} error={error} />
      {data && offset + PAGE_SIZE < data.total && (
        <Button
          kind="quiet"
          size="small"
          className="mt-3"
          onClick={() => setOffset(offset + PAGE_SIZE)}
        >
          {t("drafts.earlier")}
        </Button>
      )}
    </Dialog>
  );
}

interface BoxListProps {
  readonly account: string;
  readonly page: BoxPage | undefined;
  readonly error: unknown;
}

function BoxList({ account, page, error }: BoxListProps) {
  const { t } = useSpeech();
  const wordsOf = useErrorWords();
  if (error && !page) return <Notice tone="bad">{wordsOf(error)}</Notice>;
  if (!page) return <Skeleton className="h-40 w-full" />;
  if (page.items.length === 0)
    return <p className="text-sm text-muted">{t("drafts.importEmpty")}</p>;
  return (
    <ul className="divide-y divide-line rounded-lg border border-line">
      {page.items.map((item) => (
        <BoxRow key={item.media_id} item={item} account={account} />
      ))}
    </ul>
  );
}

function BoxRow({ item, account }: { readonly item: BoxItem; readonly account: string }) {
  const { t } = useSpeech();
  const { path, place } = useSession();
  const navigate = useNavigate();
  const here = useHere();
  const open = (id: string) => void navigate({ to: place(`/drafts/${id}`) });
  const { media_id, titles, draft_id } = item;
  const take = useAction(() => api.post<Draft>(path("/drafts/import"), { account, media_id }), {
    refresh: [path("/drafts")],
    // Nobody is led away who has left the dialog meanwhile.
    onDone: ({ id }) => here.current && open(id),
  });
  return (
    <li className="flex items-center gap-3 px-3.5 py-2.5 text-sm">
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{titles[0] || t("drafts.untitled")}</p>
        <p className="flex flex-wrap gap-x-3 text-xs text-muted">
          <Time at={item.updated_at} />
          {titles.length > 1 && t("drafts.moreArticles", { count: titles.length - 1 })}
        </p>
      </div>
      {draft_id === null ? (
        <Button size="small" busy={take.unseen} onClick={() => take.run()}>
          {t("drafts.importAction")}
        </Button>
      ) : (
        <Button kind="quiet" size="small" onClick={() => open(draft_id)}>
          {t("drafts.importOpen")}
        </Button>
      )}
    </li>
  );
}
