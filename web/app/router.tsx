import type { QueryClient } from "@tanstack/react-query";
import {
  type AnyRoute,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  Outlet,
  type RouteComponent,
  redirect,
} from "@tanstack/react-router";
import { type LaterWords, withWords } from "../i18n/language.tsx";
import { ApiError } from "../lib/api.ts";
import { parseSearch, stringifySearch } from "../lib/filters.ts";
import { loaded, sent } from "../lib/loaded.ts";
import { meQuery } from "../lib/session.tsx";
import { PageSkeleton } from "../ui/skeleton.tsx";
import { MissingPage, PageError } from "./missing-page.tsx";
import { Shell } from "./shell.tsx";

interface RouterContext {
  readonly queries: QueryClient;
}

const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: Outlet,
  notFoundComponent: MissingPage,
});

/** Pages below are of those who run the installation; for others they are not there, as in the API. */
const OPERATOR_PATHS = /^\/operator(?:\/|$)/;

/** Everything that needs a session; without one the visitor signs in and comes back. */
const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "shell",
  component: Shell,
  notFoundComponent: MissingPage,
  beforeLoad: async ({ context, location }) => {
    try {
      const { operator } = await context.queries.ensureQueryData(meQuery);
      if (!operator && OPERATOR_PATHS.test(location.pathname)) throw notFound();
    } catch (thrown) {
      if (!(thrown instanceof ApiError) || thrown.status !== 401) throw thrown;
      const to = location.href === "/" ? undefined : location.href;
      throw redirect({ to: "/sign-in", search: (to ? { to } : {}) as never });
    }
  },
});

/** A page below a route, whose code comes with its first visit, and with it the words that others do not need. */
const pageBelow =
  (parent: () => AnyRoute, words?: LaterWords) =>
  <Name extends string>(
    path: string,
    load: () => Promise<Readonly<Record<Name, RouteComponent>>>,
    name: Name,
  ) => {
    const code = () => loaded(load);
    const spoken = words === undefined ? code : () => withWords(words, code());
    const component = lazyRouteComponent(() => sent(spoken()), name);
    return createRoute({ getParentRoute: parent, path, component });
  };

const page = pageBelow(() => shellRoute);
const drafts = pageBelow(() => shellRoute, "drafts");
const settings = pageBelow(() => shellRoute, "settings");
const operators = pageBelow(() => shellRoute, "operators");
const open = pageBelow(() => rootRoute);

const accountPages = [
  page("/", () => import("../features/overview/page.tsx"), "OverviewPage"),
  page("/keys", () => import("../features/keys/list-page.tsx"), "KeysPage"),
  page("/keys/$key", () => import("../features/keys/key-page.tsx"), "KeyPage"),
  page("/usage", () => import("../features/usage/page.tsx"), "UsagePage"),
  page("/requests", () => import("../features/requests/page.tsx"), "RequestsPage"),
  page("/wallet", () => import("../features/wallet/page.tsx"), "WalletPage"),
  page("/models", () => import("../features/models/page.tsx"), "ModelsPage"),
  page("/playground", () => import("../features/playground/page.tsx"), "PlaygroundPage"),
  drafts("/drafts", () => import("../features/drafts/list-page.tsx"), "DraftsPage"),
  drafts("/drafts/$draft", () => import("../features/drafts/draft-page.tsx"), "DraftPage"),
  page("/team", () => import("../features/team/page.tsx"), "TeamPage"),
  settings("/settings", () => import("../features/settings/page.tsx"), "SettingsPage"),
];

/** The pages of one account for operators; those that its own people have are the same. */
const accountFrame = operators(
  "/operator/accounts/$account",
  () => import("../features/operator-accounts/account-frame.tsx"),
  "AccountFrame",
);

const framed = pageBelow(() => accountFrame);
const framedDrafts = pageBelow(() => accountFrame, "drafts");
/** What only operators have of an account. */
const part = pageBelow(() => accountFrame, "operators");

const framedPages = [
  part("/", () => import("../features/operator-accounts/overview-part.tsx"), "OverviewPart"),
  framed("/keys", () => import("../features/keys/list-page.tsx"), "KeysPage"),
  framed("/keys/$key", () => import("../features/keys/key-page.tsx"), "KeyPage"),
  framed("/usage", () => import("../features/usage/page.tsx"), "UsagePage"),
  framed("/requests", () => import("../features/requests/page.tsx"), "RequestsPage"),
  part("/wallet", () => import("../features/operator-accounts/wallet-part.tsx"), "WalletPart"),
  framed("/team", () => import("../features/team/page.tsx"), "TeamPage"),
  framedDrafts("/drafts", () => import("../features/drafts/list-page.tsx"), "DraftsPage"),
  framedDrafts("/drafts/$draft", () => import("../features/drafts/draft-page.tsx"), "DraftPage"),
  part("/limits", () => import("../features/operator-accounts/limits-part.tsx"), "LimitsPart"),
  part("/audit", () => import("../features/operator-accounts/audit-part.tsx"), "AuditPart"),
];

const operatorPages = [
  operators("/operator", () => import("../features/operator/page.tsx"), "OperatorPage"),
  operators("/operator/alerts", () => import("../features/operator/alerts-page.tsx"), "AlertsPage"),
  operators(
    "/operator/accounts",
    () => import("../features/operator-accounts/page.tsx"),
    "OperatorAccountsPage",
  ),
  operators("/operator/channels", () => import("../features/channels/page.tsx"), "ChannelsPage"),
  operators("/operator/models", () => import("../features/prices/page.tsx"), "PricesPage"),
  operators("/operator/codes", () => import("../features/codes/page.tsx"), "CodesPage"),
  operators("/operator/ledger", () => import("../features/ledger/page.tsx"), "LedgerPage"),
  operators("/operator/audit", () => import("../features/audit/page.tsx"), "AuditPage"),
  operators(
    "/operator/settings",
    () => import("../features/system/settings-page.tsx"),
    "InstallationPage",
  ),
  operators("/operator/system", () => import("../features/system/page.tsx"), "SystemPage"),
];

const auth = () => import("../features/auth/sign-in-page.tsx");
const recovery = () => import("../features/auth/recovery-pages.tsx");
const entry = () => import("../features/auth/entry-pages.tsx");

const openPages = [
  open("/sign-in", auth, "SignInPage"),
  open("/sign-up", entry, "SignUpPage"),
  open("/confirm", () => import("../features/auth/confirm-page.tsx"), "ConfirmPage"),
  open("/forgot-password", recovery, "ForgotPage"),
  open("/reset-password", recovery, "ResetPage"),
  open("/welcome", () => import("../features/auth/welcome-page.tsx"), "WelcomePage"),
  open("/invitation", entry, "InvitationPage"),
  open("/invitations/$token", entry, "OldInvitationPage"),
  open("/platform/material", () => import("../material/way-back.tsx"), "WayToMaterial"),
];

export function createConsoleRouter(queries: QueryClient) {
  return createRouter({
    basepath: "/console",
    context: { queries },
    routeTree: rootRoute.addChildren([
      shellRoute.addChildren([
        ...accountPages,
        ...operatorPages,
        accountFrame.addChildren(framedPages),
      ]),
      ...openPages,
    ]),
    parseSearch,
    stringifySearch,
    defaultPreload: "intent",
    defaultPendingComponent: PageSkeleton,
    defaultErrorComponent: PageError,
    defaultNotFoundComponent: MissingPage,
    scrollRestoration: true,
  });
}
