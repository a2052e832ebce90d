import { useQueryClient } from "@tanstack/react-query";
import { useSession } from "../../lib/session.tsx";

/** Asks again for everything that shows a balance. */
export function useMoneyMoved(): () => Promise<void> {
  const client = useQueryClient();
  const { path } = useSession();
  return async () => {
    const shown = ["/wallet", "/entries", "/orders", "/refunds", "/overview"].map(path);
    await Promise.all(
      [...shown, "/api/me"].map((key) => client.invalidateQueries({ queryKey: [key] })),
    );
  };
}
