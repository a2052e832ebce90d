import { expect } from "bun:test";
import { TestServer } from "../server.ts";
import { expectRightBooks } from "./books.ts";
import { openHolds, sqliteDatabase, type TestDatabase } from "./database.ts";
import { MockVendor, VENDOR_KEY, VENDOR_TEXT } from "./mock-vendor.ts";
import { SocketClient, type SocketTurn } from "./socket-client.ts";
import { eventually } from "./waiting.ts";

/** A server with one vendor behind it, which does as it is told. */
export interface House {
  readonly database: TestDatabase;
  readonly vendor: MockVendor;
  readonly server: TestServer;
  readonly key: string;
}

export async function openHouse(settings: Record<string, string>): Promise<House> {
  const database = sqliteDatabase();
  const vendor = new MockVendor();
  const server = await TestServer.start({
    ...database.settings,
    OPENAI_API_KEY: VENDOR_KEY,
    OPENAI_BASE_URL: vendor.url,
    ...settings,
  });
  const { key } = await server.account("100", "--rpm", "0");
  return { database, vendor, server, key };
}

export async function closeHouse({ server, vendor, database }: House): Promise<void> {
  try {
    await eventually("no hold is left", async () => (await openHolds(database)).length === 0);
    await expectRightBooks(server);
  } finally {
    await server.kill();
    await vendor.stop();
    await database.remove();
  }
}

export const connect = ({ server, key }: House) => SocketClient.open(server, key);

/** What the vendor said, from its first event to its last, and nothing of another turn. */
export function expectWhole(turn: SocketTurn): void {
  const types = turn.messages.map(({ type }) => type).filter((type) => type !== "keepalive");
  expect([types[0], types.at(-1)]).toEqual(["response.created", "response.completed"]);
  expect(types.filter((type) => type === "response.created")).toHaveLength(1);
  expect(turn.status).toBe("completed");
  expect(turn.text).toBe(VENDOR_TEXT.join(""));
}
