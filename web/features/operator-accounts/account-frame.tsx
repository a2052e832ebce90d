import { Outlet, useParams, useRouterState } from "@tanstack/react-router";
import { Building2 } from "lucide-react";
import { useEffect, useMemo, useRef } from "react";
import type { OperatorAccount } from "../../../src/console/operator/contract/accounts.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { Link, TextLink } from "../../lib/link.tsx";
import { useResource } from "../../lib/queries.ts";
import { AccountScope } from "../../lib/session.tsx";
import { Code } from "../../ui/code.tsx";
import { cx } from "../../ui/cx.ts";
import { NotShown } from "../../ui/not-shown.tsx";
import { HelpLink, PageFrame } from "../../ui/page-header.tsx";
import { PageSkeleton } from "../../ui/skeleton.tsx";
import { AccountActions } from "./account-actions.tsx";
import { AccountBadges } from "./account-badges.tsx";
import { AccountContext } from "./account-in-view.ts";
import { ACCOUNTS, homeOf } from "./paths.ts";

/** In the order in which somebody looks at a customer. */
const PARTS = [
  { path: "", label: "nav.overview" },
  { path: "/keys", label: "nav.keys" },
  { path: "/requests", label: "nav.requests" },
  { path: "/usage", label: "nav.usage" },
  { path: "/wallet", label: "nav.wallet" },
  { path: "/drafts", label: "nav.drafts" },
  { path: "/team", label: "operatorAccounts.people" },
  { path: "/limits", label: "operatorAccounts.limits" },
  { path: "/audit", label: "nav.audit" },
] as const;

/** Everything of one account, for operators: its own pages, and what only they may do. */
export function AccountFrame() {
  const { t } = useSpeech();
  const { account: id = "" } = useParams({ strict: false }) as { account?: string };
  const { data, error, refetch } = useResource<OperatorAccount>(`${ACCOUNTS}/${id}`);
  if (data) return <Frame key={id} account={data} />;
  if (!error) return <PageSkeleton />;
  return (
    <NotShown
      error={error}
      retry={refetch}
      icon={<Building2 size={28} />}
      missing={t("operatorAccounts.notFound")}
      list="/operator/accounts"
      listName={t("operatorAccounts.all")}
    >
      {t("operatorAccounts.notFoundHint")}
    </NotShown>
  );
}

function Frame({ account }: { readonly account: OperatorAccount }) {
  const { t } = useSpeech();
  const { id, name, balance } = account;
  const summary = useMemo(
    () => ({ id, name, role: "owner" as const, balance }),
    [id, name, balance],
  );
  return (
    <AccountScope account={summary} home={homeOf(id)}>
      <header className="mb-4 flex flex-wrap items-end justify-between gap-x-4 gap-y-3">
        <div className="min-w-0">
          <div className="mb-1 text-[13px] text-muted">
            <TextLink to="/operator/accounts">{t("operatorAccounts.title")}</TextLink>
          </div>
          <div className="flex items-center gap-1.5">
            <h1 className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1 text-[22px] leading-tight font-semibold tracking-tight break-words">
              {name}
              <AccountBadges account={account} />
            </h1>
            <HelpLink />
          </div>
          <div className="mt-1 text-sm text-muted">
            <Code>{id}</Code>
          </div>
        </div>
        <AccountActions account={account} wordy />
      </header>
      <PartNav home={homeOf(id)} />
      <AccountContext value={account}>
        <PageFrame title={name}>
          <Outlet />
        </PageFrame>
      </AccountContext>
    </AccountScope>
  );
}

function PartNav({ home }: { readonly home: string }) {
  const { t } = useSpeech();
  const path = useRouterState({
    select: (state) => state.location.pathname.replace(/^\/console/, "").replace(/\/$/, ""),
  });
  // A phone has no room for all of them, and the one that is shown may be beyond its edge.
  const list = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another part is another place.
  useEffect(() => {
    const current = list.current?.querySelector("[aria-current]");
    current?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [path]);
  return (
    <nav
      ref={list}
      aria-label={t("operatorAccounts.parts")}
      className="mb-5 flex gap-1 overflow-x-auto border-b border-line"
    >
      {PARTS.map(({ path: part, label }) => {
        const to = `${home}${part}`;
        const here = part === "" ? path === to : path === to || path.startsWith(`${to}/`);
        return (
          <Link
            key={part}
            to={to}
            aria-current={here ? "page" : undefined}
            className={cx(
              "flex h-9 shrink-0 items-center border-b-2 px-3 text-sm font-medium -outline-offset-2",
              here ? "border-accent text-text" : "border-transparent text-muted hover:text-text",
            )}
          >
            {t(label)}
          </Link>
        );
      })}
    </nav>
  );
}
