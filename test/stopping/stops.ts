// What a server says when it ends with something undone.
import { expect } from "bun:test";
import { TestServer } from "../server.ts";

/** What has nothing to wait for is given all the time that it may need. */
const USUAL_STOP = { FAREGATE_SHUTDOWN_DRAIN_MS: "", FAREGATE_SHUTDOWN_END_MS: "" };

/** Of how many requests the log has the names. */
const NAMED_MAX = 20;

/** Nobody waits long for a server that cannot settle. */
export const SHORT_STOP = {
  FAREGATE_SHUTDOWN_DRAIN_MS: "300",
  FAREGATE_SHUTDOWN_END_MS: "2000",
  FAREGATE_SETTLE_WAIT_MS: "300",
};

interface HoldsSaid {
  readonly holds: number;
  readonly requests: readonly string[];
}

/** Each line that a log has of an event about holds. */
export function holdsSaid(errors: string, event: "not_settled" | "holds_recovered"): HoldsSaid[] {
  const lines = errors.split("\n").filter((line) => line.includes(`"event":"${event}"`));
  return lines.map((line) => JSON.parse(line) as HoldsSaid);
}

/**
 * A server that could not settle some of its requests, so many at most, has said so, and whoever starts in its place finds the
 * folder free, as many holds, and books that are right.
 */
export async function expectLeft(
  ended: TestServer,
  settings: Record<string, string>,
  mostHolds: number,
): Promise<void> {
  const [said] = holdsSaid(await ended.errors, "not_settled");
  expect(said?.holds).toBeGreaterThan(0);
  expect(said?.holds).toBeLessThanOrEqual(mostHolds);
  expect(new Set(said?.requests).size).toBe(Math.min(said?.holds ?? 0, NAMED_MAX));
  const next = await TestServer.start({ ...settings, ...USUAL_STOP, FAREGATE_LOG: "warn" });
  try {
    expect(await next.command("verify")).toMatchObject({ ok: true, open_holds: 0 });
    expect(await next.stop()).toBe(0);
    expect(holdsSaid(await next.errors, "holds_recovered")).toMatchObject([{ holds: said?.holds }]);
  } finally {
    await next.kill();
  }
}
