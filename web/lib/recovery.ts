import { useEffect, useRef } from "react";
import { ApiError } from "./api.ts";
import { isMissingCode } from "./loaded.ts";

const LOOK_MS = 4_000;

export type FaultKind = "offline" | "storage" | "busy" | "signedOut" | "notAllowed" | "other";

/** The kind of an error, for pages that say it in their title. */
export function faultKind(error: unknown): FaultKind {
  if (isMissingCode(error)) return "offline";
  if (!(error instanceof ApiError)) return "other";
  if (error.code === "storage_unavailable") return "storage";
  if (error.status === 0 || error.status === 502 || error.status === 504) return "offline";
  if (error.status === 503) return "busy";
  if (error.status === 401) return "signedOut";
  // Another 403 is of something before the server, such as a firewall, and may pass.
  return error.code === "permission_denied" ? "notAllowed" : "other";
}

/** Whether the error ends when the server, its storage or the network comes back. */
export function endsByItself(error: unknown): boolean {
  const kind = faultKind(error);
  return kind === "offline" || kind === "storage" || kind === "busy";
}

/** Whether the server answers and can use its storage. */
async function isServerReady(): Promise<boolean> {
  try {
    const { status } = await fetch("/readyz", { cache: "no-store" });
    return status < 500;
  } catch {
    return false;
  }
}

/** Calls `onBack` as soon as the server is ready, while `waits`. */
export function useServerBack(waits: boolean, onBack: () => unknown): void {
  const latest = useRef(onBack);
  latest.current = onBack;
  useEffect(() => {
    if (!waits) return;
    let isOver = false;
    const look = async () => {
      if ((await isServerReady()) && !isOver) latest.current();
    };
    const timer = setInterval(look, LOOK_MS);
    addEventListener("online", look);
    return () => {
      isOver = true;
      clearInterval(timer);
      removeEventListener("online", look);
    };
  }, [waits]);
}
