import { DIRECT } from "../lib/net/direct.ts";
import type { Sql } from "../lib/sql/sql.ts";
import { ServingRow } from "../store/serving-row.ts";

const HEALTH_MS = 2_000;

async function isHealthy(origin: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(HEALTH_MS);
    const answer = await fetch(`${origin}/healthz`, { ...DIRECT, signal, redirect: "manual" });
    return ((await answer.json()) as { status?: string }).status === "ok";
  } catch {
    return false;
  }
}

/** Where the server that runs beside a command is reached from this machine; undefined where none answers. */
export async function runningOrigin(sql: Sql): Promise<string | undefined> {
  const origin = await new ServingRow(sql).find();
  return origin !== undefined && (await isHealthy(origin)) ? origin : undefined;
}
