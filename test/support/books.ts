import { expect } from "bun:test";
import { receiptToJson } from "../../src/gateway/routes/account-routes.ts";
import type { Verification } from "../../src/ledger/books.ts";
import type { Store } from "../../src/store/store.ts";
import type { TestServer } from "../server.ts";
import { eventually } from "./waiting.ts";

/** Every sum of the books is right and nothing is held any more. */
export async function expectRightBooks(server: TestServer): Promise<Verification> {
  const verified = await server.within(({ store }) => store.ledger.verify());
  expect(verified).toMatchObject({ openHolds: 0, problems: [] });
  return verified;
}

/** A receipt with all that operators see of it; undefined where it is not written yet. */
export async function receiptForOperators(
  { ledger }: Pick<Store, "ledger">,
  accountId: string,
  requestId: string,
) {
  const receipt = await ledger.findReceipt(requestId, accountId);
  return receipt && receiptToJson(receipt, { operator: true, accountRead: true });
}

export interface KeyFacts {
  readonly id: string;
  readonly used: string;
  readonly held: string;
  readonly limit: string | null;
  readonly remaining: string | null;
  readonly next_request_max: string | null;
}

export async function keyFacts(server: TestServer, key: string): Promise<KeyFacts> {
  const response = await server.fetch("/key", key);
  expect(response.status).toBe(200);
  return (await response.json()) as KeyFacts;
}

/**
 * Resolves when the books hold nothing for this key. The file says so a moment before whoever keeps the books hears of
 * it, so that what comes of it cannot be asked for once no hold is left there.
 */
export function nothingHeld(server: TestServer, key: string): Promise<boolean> {
  return eventually(
    "the books hold nothing",
    async () => (await keyFacts(server, key)).held === "0.0",
  );
}

/** Nothing was charged to this key and nothing is held for it. */
export async function expectUntouched(server: TestServer, key: string): Promise<void> {
  expect(await keyFacts(server, key)).toMatchObject({ used: "0.0", held: "0.0" });
}

/** "0.00012" → 120000. */
export function nano(decimal: string): bigint {
  const [whole = "0", fraction = ""] = decimal.split(".");
  return BigInt(whole) * 1_000_000_000n + BigInt(fraction.padEnd(9, "0"));
}

/** 120000 → "0.00012", with at least one digit behind the point. */
export function dollars(nanos: bigint): string {
  const fraction = String(nanos % 1_000_000_000n)
    .padStart(9, "0")
    .replace(/0+$/, "");
  return `${nanos / 1_000_000_000n}.${fraction || "0"}`;
}
