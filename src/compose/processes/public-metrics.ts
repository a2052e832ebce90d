import type { GateView } from "../../gateway/inner/gate-view.ts";
import type { Route } from "../../lib/route.ts";
import { writeGauge } from "../../telemetry/metrics.ts";
import { askInner, passedOn } from "./inner-call.ts";
import type { OfficeAccess } from "./office-access.ts";
import { METRICS_PATH } from "./office-paths.ts";

const CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** What an office would say that is not there. */
const NO_OFFICE = writeGauge({
  name: "faregate_draft_calls_waiting",
  help: "Calls for drafts that wait for a call that works on the same draft.",
  values: [{ value: 0 }],
});

/**
 * The metrics where everybody may read them: those of an office are among them while there is one, but to
 * look at them neither starts it nor keeps it.
 */
export function publicMetrics(
  view: GateView,
  office: Pick<OfficeAccess, "isRunning">,
  socket: string,
  gate: number,
): Route {
  return {
    method: "GET",
    path: METRICS_PATH,
    async handle(incoming) {
      const { requestId, request } = incoming;
      const { method, headers } = request;
      const caller = { requestId, address: () => incoming.address(), gate };
      const call = { method, url: incoming.url.href, headers, body: null };
      const answer = office.isRunning
        ? await askInner(socket, call, caller).catch(() => undefined)
        : undefined;
      if (answer?.ok) return passedOn(answer, answer.body);
      const text = `${await view.metrics()}${NO_OFFICE}`;
      return new Response(text, { headers: { "content-type": CONTENT_TYPE } });
    },
  };
}
