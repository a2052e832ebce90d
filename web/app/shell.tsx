import { Outlet, useRouter, useRouterState } from "@tanstack/react-router";
import { FlaskConical, Menu as MenuIcon, Search } from "lucide-react";
import { useEffect, useState } from "react";
import { listsTroubles, useHealth } from "../features/operator/health.ts";
import { useSpeech, withWords } from "../i18n/language.tsx";
import { lazyPart, PartAwayContext } from "../lib/lazy-part.tsx";
import { SessionProvider, useSession } from "../lib/session.tsx";
import { Notice } from "../ui/badge.tsx";
import { IconButton } from "../ui/button.tsx";
import { HelpContext } from "../ui/help-context.ts";
import { helpFor } from "./help.ts";
import { PartAway } from "./part-away.tsx";
import { Preferences } from "./preferences.tsx";
import { SessionEnd } from "./session-end.tsx";
import { useShortcuts } from "./shortcuts.ts";
import { Brand, Sidebar } from "./sidebar.tsx";

/** Not part of the first load: they come when they are first asked for. */
const Sheet = lazyPart(() => import("../ui/dialogs/sheet.tsx"), "Sheet");
const HealthBanner = lazyPart(
  () => withWords("operators", import("../features/operator/health-banner.tsx")),
  "HealthBanner",
);
const CommandPalette = lazyPart(() => import("./command-palette.tsx"), "CommandPalette");

export function Shell() {
  return (
    <SessionProvider>
      <Preferences />
      <SessionEnd />
      <PartAwayContext value={PartAway}>
        <Frame />
      </PartAwayContext>
    </SessionProvider>
  );
}

function Frame() {
  const { t } = useSpeech();
  const { me } = useSession();
  const [palette, setPalette] = useState(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const openPalette = () => setPalette(true);
  useShortcuts({ openPalette });
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[15rem_minmax(0,1fr)]">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-60 focus:rounded-md focus:bg-surface focus:px-3 focus:py-2"
      >
        {t("words.skipToContent")}
      </a>
      <aside className="hidden border-r border-line bg-surface lg:block">
        <div className="sticky top-0 h-dvh">
          <Sidebar onSearch={openPalette} />
        </div>
      </aside>
      <TopBar onSearch={openPalette} />
      <main id="content" tabIndex={-1} className="min-w-0 outline-none">
        <div className="mx-auto w-full max-w-6xl px-4 py-6 sm:px-8 sm:py-8">
          {me.test_payment && (
            <div className="mb-6">
              <Notice tone="warn" icon={<FlaskConical size={16} />}>
                {t("nav.testMode")}
              </Notice>
            </div>
          )}
          <HelpContext value={helpFor(path)}>
            <Outlet />
          </HelpContext>
        </div>
        <Health path={path} />
      </main>
      {palette && <CommandPalette onClose={() => setPalette(false)} />}
    </div>
  );
}

/** Operators see on every page what is wrong, but where the page itself lists it. */
function Health({ path }: { readonly path: string }) {
  const { troubles } = useHealth();
  const place = path.replace(/^\/console/, "") || "/";
  if (!troubles?.length || listsTroubles(place)) return null;
  return <HealthBanner troubles={troubles} />;
}

/** On a phone: the brand, the search and the menu, which opens as a sheet from the left. */
function TopBar({ onSearch }: { readonly onSearch: () => void }) {
  const { t } = useSpeech();
  const [open, setOpen] = useState(false);
  const router = useRouter();
  // Whoever chose a page has seen the menu, also where it is the page that is already open.
  useEffect(() => router.subscribe("onBeforeNavigate", () => setOpen(false)), [router]);
  return (
    <header className="sticky top-0 z-30 flex h-14 items-center justify-between gap-2 border-b border-line bg-surface px-3 lg:hidden">
      <Brand />
      <div className="flex">
        <IconButton label={t("nav.commands")} className="size-10" onClick={onSearch}>
          <Search size={18} />
        </IconButton>
        <IconButton label={t("nav.menu")} className="size-10" onClick={() => setOpen(true)}>
          <MenuIcon size={20} />
        </IconButton>
      </div>
      {open && (
        <Sheet onClose={() => setOpen(false)} title={t("nav.menu")}>
          <Sidebar onSearch={onSearch} />
        </Sheet>
      )}
    </header>
  );
}
