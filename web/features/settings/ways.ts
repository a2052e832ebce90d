import { useResource } from "../../lib/queries.ts";
import type { Way } from "./calls.ts";

/** Whether the person signs in with a password; most do, so it is believed until it is known. */
export function useHasPassword(): boolean {
  const { data } = useResource<readonly Way[]>("/api/auth/list-accounts");
  return data?.some(({ providerId }) => providerId === "credential") ?? true;
}
