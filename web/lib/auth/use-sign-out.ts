import { useQueryClient } from "@tanstack/react-query";
import { useToast } from "../../ui/toasts/toast.tsx";
import { ApiError } from "../api.ts";
import { signOut } from "./auth.ts";

/** Signs out and leaves for the door. Where that fails the session goes on, and so does the page, which says so. */
export function useSignOut(): () => Promise<void> {
  const client = useQueryClient();
  const toast = useToast();
  return async () => {
    try {
      await signOut();
    } catch (thrown) {
      // A session that is over already is what was wanted.
      if (!(thrown instanceof ApiError && thrown.status === 401)) return toast.failed(thrown);
    }
    client.clear();
    location.assign("/console/sign-in");
  };
}
