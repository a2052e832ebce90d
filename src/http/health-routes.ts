import type { Route } from "../lib/route.ts";

interface Health {
  /** Throws when the process cannot serve. */
  ready(): Promise<void>;
  isStopping(): boolean;
}

async function readiness(health: Health): Promise<Response> {
  if (health.isStopping()) return Response.json({ status: "stopping" }, { status: 503 });
  try {
    await health.ready();
    return Response.json({ status: "ready" });
  } catch {
    // Why is told where storage is watched, and once for all who ask.
    return Response.json({ status: "storage unavailable" }, { status: 503 });
  }
}

/** What tells others whether a server lives, and whether it serves. */
export function healthRoutes(health: Health): readonly Route[] {
  const handle = async () => Response.json({ status: "ok" });
  return [
    { method: "GET", path: "/healthz", handle },
    { method: "GET", path: "/readyz", handle: () => readiness(health) },
  ];
}
