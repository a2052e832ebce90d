import type { Limits } from "../config/config.ts";

/** Whole seconds that a connection may be silent: within a body, and between two requests; zero is forever. */
export interface IdleTimeouts {
  readonly upload: number;
  readonly keep: number;
}

/** All that Bun can count. */
const SECONDS_MAX = 255;

export function idleTimeoutsOf({
  upload_idle_ms,
  client_keep_ms,
  keep_alive_ms,
}: Limits): IdleTimeouts {
  const seconds = (ms: number) => Math.ceil(ms / 1000);
  // From its beginning on an answer has as long, and a stream may be silent until it gets a keep-alive.
  const keep = seconds(Math.max(client_keep_ms, 2 * keep_alive_ms));
  return { upload: seconds(upload_idle_ms), keep: keep > SECONDS_MAX ? 0 : keep };
}

/** For the gate that calls the office: it waits for as long as its own client does. */
export const UNLIMITED: IdleTimeouts = { upload: 0, keep: 0 };
