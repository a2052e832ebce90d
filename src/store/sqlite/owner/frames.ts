import type { Socket } from "node:net";
import { deserialize, serialize } from "node:v8";

const HEAD_BYTES = 4;
/** More than anybody says at once; what claims to be longer is not of ours. */
const FRAME_MAX_BYTES = 256 * 1024 * 1024;

/** The number of a reply to no request: the owner has replied to all that it read, and reads no more. */
export const GOODBYE = -1;
/** The same where a request could not be read. */
export const NOT_READ = -2;

/** Values as they are, whole numbers of any size among them, each behind its length. */
export function sendFrame(socket: Socket, value: unknown): void {
  const body = serialize(value);
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32LE(body.length);
  socket.write(Buffer.concat([head, body]));
}

interface Frame {
  readonly value: unknown;
  readonly rest: Buffer;
}

/** Undefined while the first of them is not all there. Throws where it cannot be read. */
function readFrame(bytes: Buffer): Frame | undefined {
  if (bytes.length < HEAD_BYTES) return undefined;
  const size = bytes.readUInt32LE();
  if (size > FRAME_MAX_BYTES) throw new Error(`a frame of ${size} bytes`);
  const end = HEAD_BYTES + size;
  if (bytes.length < end) return undefined;
  return { value: deserialize(bytes.subarray(HEAD_BYTES, end)), rest: bytes.subarray(end) };
}

/**
 * Calls `heard` with each value that comes, until one cannot be read: then `unread`, and nothing any more. The
 * runtime of another version may write them in a way that this one does not know, and must not end it by that.
 */
export function onFrames(
  socket: Socket,
  heard: (value: unknown) => void,
  unread: () => void,
): void {
  let owned: Buffer = Buffer.alloc(0);
  const listen = (chunk: Buffer) => {
    owned = owned.length === 0 ? chunk : Buffer.concat([owned, chunk]);
    for (;;) {
      let frame: Frame | undefined;
      try {
        frame = readFrame(owned);
      } catch {
        socket.off("data", listen).resume();
        unread();
        return;
      }
      if (!frame) return;
      owned = frame.rest;
      heard(frame.value);
    }
  };
  socket.on("data", listen);
}
