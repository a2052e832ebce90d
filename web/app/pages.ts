import {
  BellRing,
  Boxes,
  ChartColumn,
  CircleGauge,
  Cpu,
  FlaskConical,
  Gauge,
  KeyRound,
  LayoutDashboard,
  ListTree,
  type LucideIcon,
  Newspaper,
  ReceiptText,
  ScrollText,
  Settings,
  SlidersHorizontal,
  Tags,
  Ticket,
  Users,
  Wallet,
  Waypoints,
} from "lucide-react";
import type { MessageKey } from "../i18n/catalogue.ts";

/** Keys of the navigation that take no values. */
type NavKey = Exclude<Extract<MessageKey, `nav.${string}`>, "nav.troubles">;

interface NavEntry {
  readonly path: string;
  readonly label: NavKey;
  readonly icon: LucideIcon;
}

/** The sidebar and the command palette, in this order. */
export const ACCOUNT_PAGES: readonly NavEntry[] = [
  { path: "/", label: "nav.overview", icon: LayoutDashboard },
  { path: "/keys", label: "nav.keys", icon: KeyRound },
  { path: "/usage", label: "nav.usage", icon: ChartColumn },
  { path: "/requests", label: "nav.requests", icon: ListTree },
  { path: "/wallet", label: "nav.wallet", icon: Wallet },
  { path: "/models", label: "nav.models", icon: Boxes },
  { path: "/playground", label: "nav.playground", icon: FlaskConical },
  { path: "/drafts", label: "nav.drafts", icon: Newspaper },
  { path: "/team", label: "nav.team", icon: Users },
  { path: "/settings", label: "nav.settings", icon: Settings },
];

export const OPERATOR_PAGES: readonly NavEntry[] = [
  { path: "/operator", label: "nav.operatorHome", icon: Gauge },
  { path: "/operator/accounts", label: "nav.accounts", icon: CircleGauge },
  { path: "/operator/channels", label: "nav.channels", icon: Waypoints },
  { path: "/operator/alerts", label: "nav.alerts", icon: BellRing },
  { path: "/operator/models", label: "nav.prices", icon: Tags },
  { path: "/operator/codes", label: "nav.codes", icon: Ticket },
  { path: "/operator/ledger", label: "nav.ledger", icon: ReceiptText },
  { path: "/operator/audit", label: "nav.audit", icon: ScrollText },
  { path: "/operator/settings", label: "nav.installation", icon: SlidersHorizontal },
  { path: "/operator/system", label: "nav.system", icon: Cpu },
];
