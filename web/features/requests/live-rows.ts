import { useEffect, useRef, useState } from "react";
import type { RequestRow } from "../../../src/console/contract/requests.ts";
import { api } from "../../lib/api.ts";
import { type Rows, useRows } from "../../lib/queries.ts";
import { mergeRows } from "./tail.ts";

const POLL_MS = 2_000;
/** The most the API gives at once: a full answer may have left some out. */
const TAIL_MAX = 200;
/** Beyond this the list is asked for anew, so that a page left open over night stays light. */
const KEPT_MAX = 1_000;

type Filters = Readonly<Record<string, string | undefined>>;

/** The list of requests; while `live`, what comes is put on top of it. */
export function useLiveRows(path: string, filters: Filters, live: boolean): Rows<RequestRow> {
  const rows = useRows<RequestRow>(path, filters);
  const [tail, setTail] = useState<readonly RequestRow[]>([]);
  const merged = rows.data && mergeRows(tail, rows.data);
  const latest = useRef({ rows, merged, filters });
  latest.current = { rows, merged, filters };
  const question = JSON.stringify([path, filters]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another question has another tail.
  useEffect(() => setTail([]), [question]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: an answer to another question is dropped.
  useEffect(() => {
    if (!live) return;
    let over = false;
    const poll = async () => {
      const now = latest.current;
      const since = now.merged?.[0]?.id;
      if (document.visibilityState === "hidden" || !now.merged) return;
      if (since === undefined) return now.rows.retry();
      const query = { ...now.filters, since, limit: String(TAIL_MAX) };
      const page = await api.page<RequestRow>(path, query, undefined).catch(() => undefined);
      if (over || !page) return;
      if (page.data.length >= TAIL_MAX || now.merged.length > KEPT_MAX) {
        now.rows.retry();
        setTail([]);
      } else {
        setTail((before) => mergeRows(page.data, before));
      }
    };
    const timer = setInterval(() => void poll(), POLL_MS);
    return () => {
      over = true;
      clearInterval(timer);
    };
  }, [live, question]);

  return { ...rows, data: merged };
}
