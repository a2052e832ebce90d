import type { Usage } from "../../../src/console/contract/usage.ts";
import { lastDays } from "../../lib/format.ts";
import { useResource } from "../../lib/queries.ts";
import { useSession, useTimeZone } from "../../lib/session.tsx";
import { useNow } from "../../lib/time/now.ts";

const DAYS = 30;

/** Usage of a key by day; the stats and the chart ask for the same, so it is fetched once. */
export function useKeyUsage(keyId: string) {
  const { path } = useSession();
  const timeZone = useTimeZone();
  const days = lastDays(DAYS, useNow(), timeZone);
  const query = useResource<Usage>(path("/usage"), {
    by: "day",
    key: keyId,
    from: days[0],
    to: days.at(-1),
    tz: timeZone,
  });
  return { ...query, days };
}
