import { useQueryClient } from "@tanstack/react-query";
import type { AlertChanges, Alerts } from "../../../src/console/contract/alerts.ts";
import { api } from "../../lib/api.ts";
import { useChange } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.tsx";
import { useToast } from "../../ui/toasts/toast.tsx";

/** Saves at once; the answer is the whole of the settings. */
export function useAlertChange() {
  const { path } = useSession();
  const client = useQueryClient();
  const toast = useToast();
  const change = useChange((changes: AlertChanges) => api.put<Alerts>(path("/alerts"), changes), {
    refresh: [path("/wallet")],
    onDone: (alerts) => client.setQueryData([path("/alerts"), {}], alerts),
  });
  return {
    busy: change.isPending,
    save: (changes: AlertChanges) => change.mutate(changes, { onError: toast.failed }),
    /** For forms, which show a refusal at its field. */
    send: (changes: AlertChanges) => change.mutateAsync(changes),
  };
}
