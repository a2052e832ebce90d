import { useRouterState } from "@tanstack/react-router";
import { ChevronsUpDown, Search } from "lucide-react";
import { type ComponentProps, lazy } from "react";
import type { Role } from "../../src/accounts/contract/members.ts";
import { menuPathOf, useHealth } from "../features/operator/health.ts";
import { useSpeech } from "../i18n/language.tsx";
import { Link } from "../lib/link.tsx";
import { loaded } from "../lib/loaded.ts";
import { useSession } from "../lib/session.tsx";
import { Balance } from "../ui/balance.tsx";
import { BrandMark } from "../ui/brand-mark.tsx";
import { cx } from "../ui/cx.ts";
import { MenuOnDemand } from "../ui/menu-on-demand.tsx";
import { ACCOUNT_PAGES, OPERATOR_PAGES } from "./pages.ts";

export const ROLE_WORDS = {
  owner: "nav.roleOwner",
  member: "nav.roleMember",
  viewer: "nav.roleViewer",
} as const satisfies Record<Role, string>;

const menus = () => loaded(() => import("./menus.tsx"));
const AccountMenu = lazy(async () => ({ default: (await menus()).AccountMenu }));
const UserMenu = lazy(async () => ({ default: (await menus()).UserMenu }));

export function Brand() {
  return (
    <Link to="/" className="flex items-center gap-2 rounded-md px-2 py-1 font-semibold">
      <BrandMark />
      Faregate
    </Link>
  );
}

export function Sidebar({ onSearch }: { readonly onSearch: () => void }) {
  const { t } = useSpeech();
  const { me } = useSession();
  return (
    <div className="flex h-full flex-col">
      <div className="flex flex-col gap-2 px-3 pt-3">
        <Brand />
        <AccountSwitcher />
        <button
          type="button"
          onClick={onSearch}
          className="flex h-8 items-center gap-2 rounded-md border border-line bg-sunken px-2.5 text-[13px] text-muted hover:border-line-strong"
        >
          <Search size={14} />
          <span className="flex-1 text-left">{t("words.search")}</span>
          <kbd className="hidden font-mono text-[11px] lg:inline">⌘K</kbd>
        </button>
      </div>
      <nav aria-label={t("nav.menu")} className="min-h-0 flex-1 overflow-y-auto px-3 py-3">
        <NavList entries={ACCOUNT_PAGES} />
        {me.operator && (
          <>
            <h2 className="px-2 pt-5 pb-1.5 text-xs font-medium text-muted">{t("nav.operator")}</h2>
            <NavList entries={OPERATOR_PAGES} />
          </>
        )}
      </nav>
      <div className="border-t border-line p-3">
        <MenuOnDemand trigger={<UserButton />} menu={(trigger) => <UserMenu trigger={trigger} />} />
      </div>
    </div>
  );
}

/** How many troubles belong to a page of the menu. */
function useTroubleCounts(): ReadonlyMap<string, number> {
  const { troubles = [] } = useHealth();
  const counts = new Map<string, number>();
  for (const trouble of troubles) {
    const path = menuPathOf(trouble);
    counts.set(path, (counts.get(path) ?? 0) + 1);
  }
  return counts;
}

/** A low window has no room for all entries; the current one is never cut. */
function showWhole(entry: HTMLLIElement | null): void {
  entry?.scrollIntoView({ block: "nearest" });
}

function NavList({ entries }: { readonly entries: typeof ACCOUNT_PAGES }) {
  const { t } = useSpeech();
  const troubles = useTroubleCounts();
  const path = useRouterState({
    select: (state) => state.location.pathname.replace(/^\/console/, "") || "/",
  });
  return (
    <ul className="flex flex-col gap-px">
      {entries.map(({ path: to, label, icon: Icon }) => {
        const isHome = to === "/" || to === "/operator";
        const here = path === to || (!isHome && path.startsWith(`${to}/`));
        const count = troubles.get(to) ?? 0;
        return (
          <li key={to} ref={here ? showWhole : null} className="relative scroll-my-3">
            <Link
              to={to}
              aria-current={here ? "page" : undefined}
              className={cx(
                "flex h-9 items-center gap-2.5 rounded-md px-2 text-sm lg:h-8",
                here
                  ? "bg-hover font-medium text-text"
                  : "text-muted hover:bg-hover hover:text-text",
              )}
            >
              <Icon size={16} aria-hidden="true" />
              {t(label)}
            </Link>
            {count > 0 && (
              <span className="pointer-events-none absolute top-1/2 right-2 -translate-y-1/2 rounded bg-bad-soft px-1.5 text-xs font-medium text-bad">
                <span aria-hidden="true">{count}</span>
                <span className="sr-only">{t("nav.troubles", { count })}</span>
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function AccountSwitcher() {
  const { me, account } = useSession();
  const many = me.accounts.length > 1;
  const label = (
    <>
      <span className="min-w-0 flex-1 text-left">
        <span className="block truncate text-sm font-medium">{account.name}</span>
        <span className="block text-xs">
          <Balance amount={account.balance} className="text-muted" />
        </span>
      </span>
      {many && <ChevronsUpDown size={14} className="text-muted" />}
    </>
  );
  const look = "flex w-full items-center gap-2 rounded-md border border-line px-2.5 py-1.5";
  if (!many) return <div className={look}>{label}</div>;
  const trigger = (
    <button type="button" className={cx(look, "hover:bg-hover")}>
      {label}
    </button>
  );
  return <MenuOnDemand trigger={trigger} menu={(drawn) => <AccountMenu trigger={drawn} />} />;
}

function UserButton(props: ComponentProps<"button">) {
  const { t } = useSpeech();
  const { me, account } = useSession();
  return (
    <button
      {...props}
      type="button"
      className="flex w-full items-center gap-2.5 rounded-md px-2 py-1.5 text-left hover:bg-hover"
    >
      <span
        aria-hidden="true"
        className="flex size-7 shrink-0 items-center justify-center rounded-full bg-accent-soft text-[13px] font-medium text-accent uppercase"
      >
        {(me.user.name || me.user.email).slice(0, 1)}
      </span>
      <span className="min-w-0 flex-1">
        <span className="block truncate text-sm">{me.user.name || me.user.email}</span>
        <span className="block truncate text-xs text-muted">
          {me.operator ? t("nav.operatorRole") : t(ROLE_WORDS[account.role])}
        </span>
      </span>
    </button>
  );
}
