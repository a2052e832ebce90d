import type { ServerWebSocket, WebSocketHandler } from "bun";
import type { Socket, SocketSession } from "../lib/route.ts";

/** What a connection carries from its handshake on. */
export interface SocketData {
  open: (socket: Socket) => SocketSession;
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
      const session = connection.data.open(socketOf(connection));
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
      const { session } = connection.data;
      if (!session) return;
      sessions.delete(session);
      session.closed();
    },
    stop() {
      stopped = true;
      for (const session of sessions) session.stop();
    },
  };
}
