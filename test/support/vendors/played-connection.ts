// A connection without a network: the test is the socket, and says what comes and in which pieces.
import type { Socket } from "bun";
import { readConfig } from "../../../src/config/config.ts";
import { Connection, type ConnectionPool } from "../../../src/upstream/http1/connection.ts";
import { Http1Call } from "../../../src/upstream/http1/http1-call.ts";
import { postTo } from "./transports.ts";

const { limits } = readConfig({});

export function playedConnection(headBytesMax = limits.upstream_head_bytes_max) {
  const state = { kept: 0, forgotten: 0, again: 0, pauses: 0, resumes: 0, isTerminated: false };
  /** How much of what is written is taken: all of it, unless a test says less. */
  const taking: { bytes: number | undefined } = { bytes: undefined };
  const sent: string[] = [];
  const pool: ConnectionPool = {
    headBytesMax,
    keep: () => {
      state.kept += 1;
    },
    forget: () => {
      state.forgotten += 1;
    },
    wasClosed: () => {},
    sendAgain: () => {
      state.again += 1;
    },
  };
  const socket = {
    write: (text: string) => {
      sent.push(text);
      return taking.bytes ?? Buffer.byteLength(text);
    },
    setNoDelay: () => true,
    pause: () => {
      state.pauses += 1;
    },
    resume: () => {
      state.resumes += 1;
    },
    terminate: () => {
      state.isTerminated = true;
    },
  } as unknown as Socket<Connection>;
  const newCall = () =>
    new Http1Call(postTo("http://localhost:1", "{}"), limits.upstream_unread_bytes_max);
  const call = newCall();
  const connection = new Connection(pool, call, undefined);
  connection.opened(socket);
  /** The bytes in pieces that end at these places, each its own as a socket's are. */
  const receive = (bytes: Buffer, cuts: readonly number[] = []) => {
    let from = 0;
    for (const to of [...cuts, bytes.length]) {
      if (to > from && !state.isTerminated)
        connection.received(Buffer.from(bytes.subarray(from, to)));
      from = Math.max(from, to);
    }
  };
  return { connection, pool, call, newCall, receive, state, sent, taking };
}
