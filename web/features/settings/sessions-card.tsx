import { useMemo } from "react";
import { type Speech, useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { rowsOf, useResource } from "../../lib/queries.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Asked } from "../../ui/dialogs/confirm.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { column, timeColumn, useColumns } from "../../ui/tables/columns.tsx";
import { type Column, DataTable } from "../../ui/tables/table.tsx";
import { useAction } from "../../ui/toasts/toast.tsx";
import { SESSIONS, type SignInSession } from "./calls.ts";
import { deviceOf } from "./device.ts";
import { useDeviceWords } from "./device-words.ts";
import { newestFirst } from "./newest-first.ts";
import { isNotFresh, NotFreshNotice } from "./not-fresh.tsx";
import { Section } from "./section.tsx";

interface CurrentSession {
  readonly session: { readonly id: string };
}

export function SessionsCard() {
  const { t } = useSpeech();
  const { data, error, refetch } = useResource<readonly SignInSession[]>(SESSIONS);
  const listed = useMemo(() => data && newestFirst(data), [data]);
  const current = useResource<CurrentSession | null>("/api/auth/get-session");
  const columns = useColumns(columnsOf, current.data?.session.id);
  const others = (data?.length ?? 0) > 1;
  return (
    <Section
      title={t("settings.sessions")}
      hint={t("settings.sessionsHint")}
      action={others && <EndOthers />}
    >
      {isNotFresh(error) ? (
        <div className="p-5">
          <NotFreshNotice />
        </div>
      ) : (
        <DataTable
          label={t("settings.sessions")}
          columns={columns}
          rows={rowsOf({ data: listed, error, refetch })}
          skeletonRows={2}
          empty={<EmptyState title={t("settings.sessionsEmpty")} />}
        />
      )}
    </Section>
  );
}

function EndOthers() {
  const { t } = useSpeech();
  return (
    <Asked
      title={t("settings.endOthersTitle")}
      action={t("settings.endOthers")}
      call={() => api.post("/api/auth/revoke-other-sessions")}
      refresh={[SESSIONS]}
      done={t("settings.othersEnded")}
    >
      {t("settings.endOthersHint")}
    </Asked>
  );
}

interface SessionProps {
  readonly session: SignInSession;
  readonly current: boolean;
}

function SessionName({ session, current }: SessionProps) {
  const { t } = useSpeech();
  const wordsOf = useDeviceWords();
  return (
    <span className="flex flex-wrap items-center gap-2" title={session.userAgent ?? undefined}>
      {wordsOf(deviceOf(session.userAgent))}
      {current && <Badge tone="good">{t("settings.thisSession")}</Badge>}
    </span>
  );
}

function EndSession({ session }: Pick<SessionProps, "session">) {
  const { t } = useSpeech();
  const device = useDeviceWords()(deviceOf(session.userAgent));
  const { token } = session;
  const end = useAction(() => api.post("/api/auth/revoke-session", { token }), {
    refresh: [SESSIONS],
    done: t("settings.sessionEnded"),
  });
  return (
    <Button
      size="small"
      busy={end.unseen}
      aria-label={t("settings.endSessionOf", { device })}
      onClick={() => end.run()}
    >
      {t("settings.endSession")}
    </Button>
  );
}

function columnsOf({ t }: Speech, currentId: string | undefined): readonly Column<SignInSession>[] {
  return [
    column("device", t("settings.session"), (session) => (
      <SessionName session={session} current={session.id === currentId} />
    )),
    {
      id: "address",
      header: t("settings.address"),
      wide: true,
      cell: ({ ipAddress }) => (
        <span className="font-mono text-[13px]">{ipAddress || t("words.none")}</span>
      ),
    },
    timeColumn("seen", t("settings.lastSeen"), (row) => row.updatedAt),
    {
      id: "actions",
      header: t("words.actions"),
      align: "right",
      cell: (session) => (session.id === currentId ? null : <EndSession session={session} />),
    },
  ];
}
