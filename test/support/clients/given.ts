import type { Writes } from "../../../src/protocols/bytes/writes.ts";

/** All that a filter gives for a client, however many writes it makes of it. */
export function given(writes: Writes | undefined): Buffer {
  return Buffer.concat([writes ?? []].flat());
}
