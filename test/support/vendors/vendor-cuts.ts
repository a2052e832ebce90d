// How vendors break off, stall, and send bytes that are not what they are said to be.
import { gzipSync } from "node:zlib";
import type { Reply } from "./scripted-vendor.ts";
import type { VendorWire } from "./vendor-bytes.ts";
import {
  ANSWERED,
  BOTH,
  begun,
  brokenAfterText,
  DOWN,
  events,
  SSE,
  STREAM,
  sendAll,
  sendStream,
  TEXTS,
  UNAVAILABLE,
  type VendorFault,
  wholeText,
} from "./vendor-play.ts";

const DRIP_BYTES = 40;
/** Of a whole answer nothing is passed on that could be waited for; nor does it end otherwise if unread. */
const UNREAD_MS = 100;

/** Bytes that have not been read when a connection breaks are lost, so they are waited for. */
async function sendBeginning(wire: VendorWire, reply: Reply): Promise<void> {
  await sendStream(reply, begun(wire));
  await reply.isPassedOn(TEXTS[0] ?? "");
}

/** The bytes of an answer without the last of them, cut in the middle of a character. */
function cutInCharacter(text: string): Buffer {
  const bytes = Buffer.from(text);
  return bytes.subarray(0, bytes.indexOf("狐") + 2);
}

export const CUTS: readonly VendorFault[] = [
  {
    name: "ends its body inside a character",
    streams: BOTH,
    script: (wire, stream) => async (_call, reply) => {
      reply.begin(stream ? SSE : "application/json");
      if (!stream) reply.write(cutInCharacter(wholeText(wire)));
      else await sendAll(reply, [...begun(wire), cutInCharacter(wire.delta(TEXTS[1] ?? ""))]);
      reply.end();
    },
    outcome: (wire, stream) => (stream ? brokenAfterText(wire) : UNAVAILABLE),
  },
  {
    name: "splits characters between chunks",
    streams: BOTH,
    script: (wire, stream) => async (_call, reply) => {
      reply.begin(stream ? SSE : "application/json");
      const bytes = Buffer.from(stream ? events(wire).join("") : wholeText(wire));
      const at = bytes.indexOf("狐");
      await sendAll(reply, [
        bytes.subarray(0, at + 1),
        bytes.subarray(at + 1, at + 2),
        bytes.subarray(at + 2),
      ]);
      reply.end();
    },
    outcome: () => ANSWERED,
  },
  {
    name: "leaves out its end marker",
    streams: STREAM,
    script: (wire) => async (_call, reply) => {
      await sendStream(reply, events(wire).slice(0, -1));
      reply.end();
    },
    outcome: (wire) => (wire.needsMarker ? brokenAfterText(wire) : ANSWERED),
  },
  {
    name: "resets the connection at once",
    streams: BOTH,
    script: () => (_call, reply) => reply.reset(),
    outcome: () => DOWN,
  },
  {
    name: "resets the connection in the middle",
    streams: BOTH,
    script: (wire, stream) => async (_call, reply) => {
      if (stream) await sendBeginning(wire, reply);
      else {
        reply.begin("application/json");
        reply.write(wholeText(wire).slice(0, 60));
        await Bun.sleep(UNREAD_MS);
      }
      reply.reset();
    },
    outcome: (wire, stream) => (stream ? brokenAfterText(wire) : UNAVAILABLE),
  },
  {
    name: "closes before it has sent what it promised",
    streams: BOTH,
    script: (wire, stream) => async (_call, reply) => {
      if (stream) await sendBeginning(wire, reply);
      else {
        reply.head(200, { "content-type": "application/json", "content-length": "9999" });
        reply.raw(wholeText(wire));
        await Bun.sleep(UNREAD_MS);
      }
      reply.cut();
    },
    outcome: (wire, stream) => (stream ? brokenAfterText(wire) : UNAVAILABLE),
  },
];

export const ENCODINGS: readonly VendorFault[] = [
  {
    name: "calls plain text gzip",
    streams: BOTH,
    script: (wire, stream) => async (_call, reply) => {
      const body = stream ? events(wire).join("") : wholeText(wire);
      reply.whole(200, body, {
        "content-type": stream ? SSE : "application/json",
        "content-encoding": "gzip",
      });
    },
    outcome: () => UNAVAILABLE,
  },
  {
    name: "sends gzip that nobody asked for",
    streams: BOTH,
    script: (wire, stream) => (_call, reply) => {
      const body = gzipSync(stream ? events(wire).join("") : wholeText(wire));
      reply.whole(200, body, {
        "content-type": stream ? SSE : "application/json",
        "content-encoding": "gzip",
      });
    },
    outcome: () => ANSWERED,
  },
  {
    name: "drips",
    streams: BOTH,
    script: (wire, stream) => async (_call, reply) => {
      reply.begin(stream ? SSE : "application/json");
      const bytes = Buffer.from(stream ? events(wire).join("") : wholeText(wire));
      for (let at = 0; at < bytes.length; at += DRIP_BYTES) {
        reply.write(bytes.subarray(at, at + DRIP_BYTES));
        await Bun.sleep(2);
      }
      reply.end();
    },
    outcome: () => ANSWERED,
  },
  {
    name: "speaks something that is not HTTP",
    streams: BOTH,
    script: () => (_call, reply) => {
      reply.raw("SSH-2.0-OpenSSH_9.9\r\n");
      reply.cut();
    },
    outcome: () => UNAVAILABLE,
  },
  {
    name: "talks nonsense in a 200",
    streams: BOTH,
    script: (_wire, stream) => (_call, reply) =>
      reply.whole(200, stream ? "data: {oops\n\n" : "<html>busy</html>"),
    outcome: () => UNAVAILABLE,
  },
];

/** Of whom nothing comes: only the deadline for the first byte ends them. */
export const SILENT_VENDORS: readonly VendorFault[] = [
  {
    name: "does not answer",
    streams: BOTH,
    script: () => () => {},
    outcome: () => UNAVAILABLE,
  },
  {
    name: "sends its head and nothing else",
    streams: BOTH,
    script: (_wire, stream) => (_call, reply) => reply.begin(stream ? SSE : "application/json"),
    outcome: () => UNAVAILABLE,
  },
];

/** Those that only the deadline between two chunks ends, or that of a whole answer. */
export const STALLS: readonly VendorFault[] = [
  {
    name: "stops in the middle",
    streams: BOTH,
    script: (wire, stream) => async (_call, reply) => {
      if (stream) return sendStream(reply, begun(wire));
      reply.begin("application/json");
      reply.write(wholeText(wire).slice(0, 60));
    },
    outcome: (wire, stream) => (stream ? brokenAfterText(wire) : UNAVAILABLE),
  },
];
