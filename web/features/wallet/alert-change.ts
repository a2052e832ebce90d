import { useQueryClient } from "@tanstack/react-query";
import type { AlertChanges, Alerts } from "../../../src/console/contract/alerts.ts";
import { api } from "../../lib/api.ts";
import { useSession } from "../../lib/session.tsx";
import { useAction } from "../../ui/toasts/toast.tsx";

/** Saves at once; the answer is the whole of the settings. */
export function useAlertChange() {
  const { path } = useSession();
  const client = useQueryClient();
  return useAction((changes: AlertChanges) => api.put<Alerts>(path("/alerts"), changes), {
    refresh: [path("/wallet")],
    onDone: (alerts) => client.setQueryData([path("/alerts"), {}], alerts),
  });
}
