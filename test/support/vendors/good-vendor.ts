import type { Script } from "./scripted-vendor.ts";
import { type Counts, VENDOR_WIRES, type VendorWireName } from "./vendor-bytes.ts";

export const GOOD_TEXT = "All is well.";
export const GOOD_COUNTS = { input: 11, output: 7 };

interface Particular {
  readonly counts?: Counts;
  readonly headers?: Record<string, string>;
}

/** What a vendor of the wire answers when nothing is wrong, streamed or not, as it was asked. */
export function answering(name: VendorWireName, particular: Particular = {}): Script {
  const wire = VENDOR_WIRES[name];
  const { counts = GOOD_COUNTS, headers = {} } = particular;
  return (call, reply) => {
    if (!wire.wantsStream(call)) {
      reply.whole(200, JSON.stringify(wire.whole(GOOD_TEXT, counts)), headers);
      return;
    }
    reply.begin("text/event-stream", headers);
    for (const event of wire.opening(counts)) reply.write(event);
    reply.write(wire.delta(GOOD_TEXT));
    for (const event of wire.ending(GOOD_TEXT, counts)) reply.write(event);
    reply.write(wire.marker(GOOD_TEXT, counts));
    reply.end();
  };
}

/** A refusal by status. */
export function refusing(status: number, headers: Record<string, string> = {}): Script {
  const body = JSON.stringify({ error: { message: "No.", type: "server_error", code: null } });
  return (_call, reply) => reply.whole(status, body, headers);
}

/** The first part of a stream, and no more of it until the caller hangs up or the gate opens. */
export function pausing(name: VendorWireName, gate: Promise<void>, text = GOOD_TEXT): Script {
  const wire = VENDOR_WIRES[name];
  return async (_call, reply) => {
    reply.begin("text/event-stream");
    for (const event of wire.opening(GOOD_COUNTS)) reply.write(event);
    reply.write(wire.delta(text));
    await gate;
    for (const event of wire.ending(text, GOOD_COUNTS)) reply.write(event);
    reply.write(wire.marker(text, GOOD_COUNTS));
    reply.end();
  };
}
