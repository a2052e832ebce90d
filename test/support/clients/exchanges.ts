// What a server makes of bytes that come in pieces by one connection.

import { caughtUp } from "../waiting.ts";
import { answersIn, comparable, type SeenAnswer } from "./answers-in.ts";
import { RawClient } from "./raw-client.ts";

type Piece = string | Uint8Array;

/** So often a server has been through all that its sockets had to tell, before what it has said is believed to be all. */
const LOOKS = 3;

/** What a connection has brought, once nothing more comes unless something is sent. */
async function settled(client: RawClient, url: string): Promise<void> {
  let seen = -1;
  for (let looks = 0; looks < LOOKS; looks++) {
    await caughtUp(url);
    if (client.octets.length === seen) continue;
    seen = client.octets.length;
    looks = 0;
  }
}

export interface Heard {
  readonly answers: readonly SeenAnswer[];
  /** The beginning of an answer that does not go on. */
  readonly rest: string;
  /** Whether the server has ended the connection. */
  readonly isClosed: boolean;
}

/** Behind an answer that says that it is the last nothing counts any more (RFC 9112 §9.6): the runtime's may say that it is no HTTP. */
function heardBy(client: RawClient, headsOnly: number): Heard {
  const { answers, rest } = answersIn(client.octets, headsOnly);
  const last = answers.findIndex(({ headers }) => headers.connection === "close");
  const heard = last < 0 ? answers : answers.slice(0, last + 1);
  return { answers: heard.map(comparable), rest, isClosed: client.isClosed };
}

/** What is sent behind everything else, to see whether the connection goes on, and with what. */
const NEXT = "POST /v1/echo HTTP/1.1\r\nhost: gate\r\nx-one: next\r\ncontent-length: 2\r\n\r\n{}";

/** What a server says to the pieces, each of them taken before the next is sent, and to one more request behind them. */
export async function exchange(
  port: number,
  pieces: readonly Piece[],
): Promise<{ heard: Heard; next: Heard }> {
  const url = `http://127.0.0.1:${port}`;
  const headsOnly = String(pieces[0]).startsWith("HEAD ") ? 1 : 0;
  const client = await RawClient.connect(url);
  for (const piece of pieces) {
    client.send(piece);
    if (pieces.length > 1) await caughtUp(url);
  }
  await settled(client, url);
  const heard = heardBy(client, headsOnly);
  client.send(NEXT);
  await settled(client, url);
  const next = heardBy(client, headsOnly);
  client.leave();
  await client.closed;
  return { heard, next };
}
