import { useQuery } from "@tanstack/react-query";
import type {
  Health,
  OperatorOverview,
  Trouble,
} from "../../../src/console/operator/contract/health.ts";
import { ApiError, api } from "../../lib/api.ts";
import { useResource } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.tsx";

const HEALTH_PATH = "/api/operator/health";
const LOOK_MS = 5_000;
const OVERVIEW_PATH = "/api/operator/overview";
const REFRESH_MS = 10_000;

/** A trouble that the server tells, or that the server does not answer. */
export interface ShownTrouble extends Omit<Trouble, "kind"> {
  readonly kind: Trouble["kind"] | "office_away";
}

interface KnownHealth {
  /** Undefined until it is known. */
  readonly troubles: readonly ShownTrouble[] | undefined;
  readonly health: Health | undefined;
  readonly refetch: () => unknown;
}

function isAway(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500);
}

/** What is wrong now, for operators; others are told of nothing. */
export function useHealth(): KnownHealth {
  const { me } = useSession();
  const query = useQuery({
    queryKey: [HEALTH_PATH],
    queryFn: () => api.get<Health>(HEALTH_PATH),
    enabled: me.operator,
    refetchInterval: LOOK_MS,
    staleTime: LOOK_MS,
    // The next look is the next try.
    retry: false,
  });
  const { data: health, error, errorUpdatedAt, refetch } = query;
  if (!me.operator) return { troubles: [], health: undefined, refetch };
  if (!isAway(error)) return { troubles: health?.troubles, health, refetch };
  const away: ShownTrouble = {
    ...{
      kind: "office_away",
      severity: "bad",
      subject: null,
      name: null,
      count: null,
      total: null,
    },
    since: new Date(errorUpdatedAt).toISOString(),
    detail: error?.message ?? null,
  };
  const known = health?.troubles.filter(({ kind }) => kind !== "gate_away") ?? [];
  return { troubles: [away, ...known], health, refetch };
}

/** The page of the menu that a trouble belongs to. */
export function menuPathOf({ kind }: Pick<ShownTrouble, "kind">): string {
  if (kind.startsWith("channel_") || kind === "unavailable") return "/operator/channels";
  if (kind === "model_broken") return "/operator/models";
  if (kind === "notices") return "/operator/alerts";
  return "/operator/system";
}

/** Pages that list every trouble themselves. */
export function listsTroubles(path: string): boolean {
  return path === "/" || path === "/operator";
}

/** What all accounts do, for operators. */
export function useAllAccounts() {
  const { me } = useSession();
  const options = { refetchMs: REFRESH_MS, enabled: me.operator };
  return useResource<OperatorOverview>(OVERVIEW_PATH, {}, options);
}
