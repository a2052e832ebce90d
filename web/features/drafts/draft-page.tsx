import { useParams } from "@tanstack/react-router";
import { Newspaper } from "lucide-react";
import type { Draft } from "../../../src/drafts/contract/draft.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { useResource } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.tsx";
import { NotShown } from "../../ui/not-shown.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { EDITOR_GRID, Editor } from "./editor/editor.tsx";

export function DraftPage() {
  const { t } = useSpeech();
  const { path } = useSession();
  const { draft: id = "" } = useParams({ strict: false }) as { draft?: string };
  const { data, error, refetch } = useResource<Draft>(path(`/drafts/${id}`));
  if (data) return <Editor key={data.id} draft={data} />;
  if (!error) return <EditorSkeleton />;
  return (
    <NotShown
      error={error}
      retry={refetch}
      icon={<Newspaper size={28} />}
      missing={t("drafts.notFound")}
      list="/drafts"
      listName={t("drafts.title")}
    />
  );
}

function EditorSkeleton() {
  return (
    <div aria-busy="true">
      <Skeleton className="mb-6 h-16 w-72" />
      <div className={EDITOR_GRID}>
        <Skeleton className="h-160 w-full rounded-xl" />
        <Skeleton className="hidden h-160 w-full rounded-[3rem] min-[70rem]:block" />
      </div>
    </div>
  );
}
