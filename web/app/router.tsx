import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  Outlet,
  type RouteComponent,
  redirect,
} from "@tanstack/react-router";
import { withWords } from "../i18n/language.tsx";
import { ApiError } from "../lib/api.ts";
import { parseSearch, stringifySearch } from "../lib/filters.ts";
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

const page = (path: string, component: RouteComponent) =>
  createRoute({ getParentRoute: () => shellRoute, path, component });

const open = (path: string, component: RouteComponent) =>
  createRoute({ getParentRoute: () => rootRoute, path, component });

const accountPages = [
  page(
    "/",
    lazyRouteComponent(() => import("../features/overview/page.tsx"), "OverviewPage"),
  ),
  page(
    "/keys",
    lazyRouteComponent(() => import("../features/keys/list-page.tsx"), "KeysPage"),
  ),
  page(
    "/keys/$key",
    lazyRouteComponent(() => import("../features/keys/key-page.tsx"), "KeyPage"),
  ),
  page(
    "/usage",
    lazyRouteComponent(() => import("../features/usage/page.tsx"), "UsagePage"),
  ),
  page(
    "/requests",
    lazyRouteComponent(() => import("../features/requests/page.tsx"), "RequestsPage"),
  ),
  page(
    "/wallet",
    lazyRouteComponent(() => import("../features/wallet/page.tsx"), "WalletPage"),
  ),
  page(
    "/models",
    lazyRouteComponent(() => import("../features/models/page.tsx"), "ModelsPage"),
  ),
  page(
    "/playground",
    lazyRouteComponent(() => import("../features/playground/page.tsx"), "PlaygroundPage"),
  ),
  page(
    "/drafts",
    lazyRouteComponent(
      () => withWords("drafts", import("../features/drafts/list-page.tsx")),
      "DraftsPage",
    ),
  ),
  page(
    "/drafts/$draft",
    lazyRouteComponent(
      () => withWords("drafts", import("../features/drafts/draft-page.tsx")),
      "DraftPage",
    ),
  ),
  page(
    "/team",
    lazyRouteComponent(() => import("../features/team/page.tsx"), "TeamPage"),
  ),
  page(
    "/settings",
    lazyRouteComponent(
      () => withWords("settings", import("../features/settings/page.tsx")),
      "SettingsPage",
    ),
  ),
];

/** The pages of one account for operators; those that its own people have are the same. */
const accountFrame = page(
  "/operator/accounts/$account",
  lazyRouteComponent(
    () => withWords("operators", import("../features/operator-accounts/account-frame.tsx")),
    "AccountFrame",
  ),
);

const framed = (path: string, component: RouteComponent) =>
  createRoute({ getParentRoute: () => accountFrame, path, component });

const framedPages = [
  framed(
    "/",
    lazyRouteComponent(
      () => withWords("operators", import("../features/operator-accounts/overview-part.tsx")),
      "OverviewPart",
    ),
  ),
  framed(
    "/keys",
    lazyRouteComponent(() => import("../features/keys/list-page.tsx"), "KeysPage"),
  ),
  framed(
    "/keys/$key",
    lazyRouteComponent(() => import("../features/keys/key-page.tsx"), "KeyPage"),
  ),
  framed(
    "/usage",
    lazyRouteComponent(() => import("../features/usage/page.tsx"), "UsagePage"),
  ),
  framed(
    "/requests",
    lazyRouteComponent(() => import("../features/requests/page.tsx"), "RequestsPage"),
  ),
  framed(
    "/wallet",
    lazyRouteComponent(
      () => withWords("operators", import("../features/operator-accounts/wallet-part.tsx")),
      "WalletPart",
    ),
  ),
  framed(
    "/team",
    lazyRouteComponent(() => import("../features/team/page.tsx"), "TeamPage"),
  ),
  framed(
    "/drafts",
    lazyRouteComponent(
      () => withWords("drafts", import("../features/drafts/list-page.tsx")),
      "DraftsPage",
    ),
  ),
  framed(
    "/drafts/$draft",
    lazyRouteComponent(
      () => withWords("drafts", import("../features/drafts/draft-page.tsx")),
      "DraftPage",
    ),
  ),
  framed(
    "/limits",
    lazyRouteComponent(
      () => withWords("operators", import("../features/operator-accounts/limits-part.tsx")),
      "LimitsPart",
    ),
  ),
  framed(
    "/audit",
    lazyRouteComponent(
      () => withWords("operators", import("../features/operator-accounts/audit-part.tsx")),
      "AuditPart",
    ),
  ),
];

const operatorPages = [
  page(
    "/operator/accounts",
    lazyRouteComponent(
      () => withWords("operators", import("../features/operator-accounts/page.tsx")),
      "OperatorAccountsPage",
    ),
  ),
  page(
    "/operator/channels",
    lazyRouteComponent(
      () => withWords("operators", import("../features/channels/page.tsx")),
      "ChannelsPage",
    ),
  ),
  page(
    "/operator/models",
    lazyRouteComponent(
      () => withWords("operators", import("../features/prices/page.tsx")),
      "PricesPage",
    ),
  ),
  page(
    "/operator/codes",
    lazyRouteComponent(
      () => withWords("operators", import("../features/codes/page.tsx")),
      "CodesPage",
    ),
  ),
  page(
    "/operator/ledger",
    lazyRouteComponent(
      () => withWords("operators", import("../features/ledger/page.tsx")),
      "LedgerPage",
    ),
  ),
  page(
    "/operator/audit",
    lazyRouteComponent(
      () => withWords("operators", import("../features/audit/page.tsx")),
      "AuditPage",
    ),
  ),
  page(
    "/operator/settings",
    lazyRouteComponent(
      () => withWords("operators", import("../features/system/settings-page.tsx")),
      "InstallationPage",
    ),
  ),
  page(
    "/operator/system",
    lazyRouteComponent(
      () => withWords("operators", import("../features/system/page.tsx")),
      "SystemPage",
    ),
  ),
];

const auth = () => import("../features/auth/sign-in-page.tsx");
const recovery = () => import("../features/auth/recovery-pages.tsx");
const entry = () => import("../features/auth/entry-pages.tsx");

const openPages = [
  open("/sign-in", lazyRouteComponent(auth, "SignInPage")),
  open("/sign-up", lazyRouteComponent(entry, "SignUpPage")),
  open(
    "/confirm",
    lazyRouteComponent(() => import("../features/auth/confirm-page.tsx"), "ConfirmPage"),
  ),
  open("/forgot-password", lazyRouteComponent(recovery, "ForgotPage")),
  open("/reset-password", lazyRouteComponent(recovery, "ResetPage")),
  open(
    "/welcome",
    lazyRouteComponent(() => import("../features/auth/welcome-page.tsx"), "WelcomePage"),
  ),
  open("/invitation", lazyRouteComponent(entry, "InvitationPage")),
  open("/invitations/$token", lazyRouteComponent(entry, "OldInvitationPage")),
  open(
    "/platform/material",
    lazyRouteComponent(() => import("../material/way-back.tsx"), "WayToMaterial"),
  ),
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
