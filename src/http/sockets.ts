import type { ServerWebSocket, WebSocketHandler } from "bun";
import type { AcceptedSocket, Socket, SocketRoute, SocketSession } from "../lib/route.ts";

/** What a connection carries from its handshake on. */
export interface SocketData {
  readonly accepted: AcceptedSocket;
  session?: SocketSession;
  /** Wakes those who wait for the client to take what was sent. */
  drained?: (() => void)[];
}

/** What the server needs to serve connections, and to end them all when it goes. */
interface SocketHandler extends WebSocketHandler<SocketData> {
  /** Lets every connection end what it is at, and takes no others. */
  stop(): void;
}

/** So much may wait in memory for a slow client before its sender has to wait too. */
const BUFFERED_BYTES_MAX = 1024 * 1024;

const TEXT_FRAME = 0x81;
const CLOSE_FRAME = 0x88;
const TOO_BIG = 1009;
/** Lengths from here on have two bytes of their own. */
const LONG_FRAME = 126;

function frameOf(type: number, payload: Uint8Array): Uint8Array {
  const { length } = payload;
  const head = length < LONG_FRAME ? [type, length] : [type, LONG_FRAME, length >> 8, length & 255];
  return Buffer.concat([Buffer.from(head), payload]);
}

function closeFrame(code: number, reason: string): Uint8Array {
  const payload = [Buffer.from([code >> 8, code & 255]), Buffer.from(reason)];
  return frameOf(CLOSE_FRAME, Buffer.concat(payload));
}

/** The runtime's answer to a message that is too large. No valid UTF-8 has these bytes, and so no text of ours. */
export const RUNTIMES_CLOSE = closeFrame(TOO_BIG, "Received too big message");

/** The same with an explanation, as an event and in the reason. */
export function closeWithReason(told: SocketRoute["tooLarge"] | undefined): Uint8Array {
  if (!told) return RUNTIMES_CLOSE;
  const { text, reason } = told;
  return Buffer.concat([frameOf(TEXT_FRAME, Buffer.from(text)), closeFrame(TOO_BIG, reason)]);
}

function socketOf(connection: ServerWebSocket<SocketData>): Socket {
  return {
    send(text) {
      connection.send(text);
      if (connection.getBufferedAmount() < BUFFERED_BYTES_MAX) return Promise.resolve();
      return new Promise((resolve) => {
        connection.data.drained ??= [];
        connection.data.drained.push(resolve);
      });
    },
    close: (code, reason) => connection.close(code, reason),
  };
}

function wake(connection: ServerWebSocket<SocketData>): void {
  const waiting = connection.data.drained ?? [];
  delete connection.data.drained;
  for (const resume of waiting) resume();
}

/** Hands messages of every connection to the room that accepted it. */
export function socketHandler(messageBytesMax: number): SocketHandler {
  const sessions = new Set<SocketSession>();
  let stopped = false;
  return {
    maxPayloadLength: messageBytesMax,
    // None: Bun would drop what is sent beyond one without a word. Who sends waits for the client by itself.
    backpressureLimit: 0,
    // A model may think for longer than any quiet connection is kept; pings keep it.
    idleTimeout: 120,
    sendPings: true,
    open(connection) {
      const session = connection.data.accepted.open(socketOf(connection));
      connection.data.session = session;
      sessions.add(session);
      // Its handshake may have been on the way while the server was told to stop.
      if (stopped) session.stop();
    },
    message(connection, message) {
      connection.data.session?.message(message);
    },
    drain: wake,
    close(connection) {
      wake(connection);
      const { session, accepted } = connection.data;
      if (!session) {
        accepted.leave();
        return;
      }
      sessions.delete(session);
      session.closed();
    },
    stop() {
      stopped = true;
      for (const session of sessions) session.stop();
    },
  };
}
