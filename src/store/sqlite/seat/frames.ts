import type { Socket } from "node:net";
import { deserialize, serialize } from "node:v8";

const HEAD_BYTES = 4;
/** More than anybody says at once; what claims to be longer is not of ours. */
const FRAME_MAX_BYTES = 256 * 1024 * 1024;

/** The number of an answer to no question: all that were heard have been answered, and no more will be. */
export const GOODBYE = -1;

/** Values as they are, whole numbers of any size among them, each behind its length. */
export function sendFrame(socket: Socket, value: unknown): void {
  const body = serialize(value);
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32LE(body.length);
  socket.write(Buffer.concat([head, body]));
}

/** Calls `heard` with each value that comes. */
export function onFrames(socket: Socket, heard: (value: unknown) => void): void {
  let kept: Buffer = Buffer.alloc(0);
  socket.on("data", (chunk: Buffer) => {
    kept = kept.length === 0 ? chunk : Buffer.concat([kept, chunk]);
    while (kept.length >= HEAD_BYTES) {
      const size = kept.readUInt32LE();
      if (size > FRAME_MAX_BYTES) {
        socket.destroy();
        return;
      }
      if (kept.length < HEAD_BYTES + size) return;
      const body = kept.subarray(HEAD_BYTES, HEAD_BYTES + size);
      kept = kept.subarray(HEAD_BYTES + size);
      heard(deserialize(body));
    }
  });
}
