import { useQueryClient } from "@tanstack/react-query";
import type { Key, KeyWishes } from "../../../src/console/contract/keys.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { useSession } from "../../lib/session.tsx";
import { useToast } from "../../ui/toasts/toast.tsx";

/** Changes a key, and shows it everywhere as it is then. */
export function useKeyChange(item: Key) {
  const { t } = useSpeech();
  const { path } = useSession();
  const client = useQueryClient();
  const toast = useToast();
  return async (wishes: KeyWishes): Promise<void> => {
    const own = path(`/keys/${item.id}`);
    await api.patch<Key>(own, wishes);
    await Promise.all([
      client.invalidateQueries({ queryKey: [path("/keys")] }),
      client.invalidateQueries({ queryKey: [own] }),
    ]);
    toast.done(t("keys.saved"));
  };
}
