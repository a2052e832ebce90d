import { useQueryClient } from "@tanstack/react-query";
import type { AlertChanges, Alerts } from "../../../src/console/contract/alerts.ts";
import { api } from "../../lib/api.ts";
import { useSession } from "../../lib/session.tsx";
import { useAction } from "../../ui/toasts/toast.tsx";

/** Whether only operators change it here, and the reader is none. */
export function isOfOperators({ operators_only }: Alerts, name: keyof Alerts): boolean {
  return operators_only.some((each) => each === name);
}

/** Saves at once; the answer is the whole of the settings. */
export function useAlertChange() {
  const { path } = useSession();
  const client = useQueryClient();
  return useAction((changes: AlertChanges) => api.put<Alerts>(path("/alerts"), changes), {
    refresh: [path("/wallet")],
    onDone: (alerts) => client.setQueryData([path("/alerts"), {}], alerts),
  });
}
