import { expect, test } from "bun:test";
import { VAULT } from "../../../test/support/vault.ts";
import type { PresentedKey } from "../account.ts";
import type { Accounts } from "../accounts.ts";
import type { AccountsStore } from "../store.ts";
import type { KeptKey } from "../tables/kept-keys.ts";
import { PersonalKeys } from "./personal-keys.ts";
import { hashSecret } from "./secret.ts";

const VISITOR = { userId: "usr_1", name: "ann@example.com", operator: false };

/** Rows and keys in memory. `between` happens after a key was looked for by its secret. */
function setUp(between: () => Promise<unknown>) {
  const rows: KeptKey[] = [];
  const keys = new Map<string, string>();
  const isThere = (id: string) => [...keys.values()].includes(id);
  const parts = {
    store: {
      find: async () => rows[0],
      add: async (key: KeptKey) => rows.length === 0 && rows.push(key) > 0,
      remove: async ({ keyId }: Pick<KeptKey, "keyId">) => {
        if (rows[0]?.keyId === keyId) rows.pop();
      },
      keysFor: async () => rows.map(({ keyId }) => keyId),
    },
    vault: VAULT,
    accounts: {
      async createKey(_account: string, { id = "", secret = "" }) {
        if (isThere(id)) throw new Error("there is a key of this id");
        keys.set(hashSecret(secret), id);
        return { id, key: secret };
      },
    } as Pick<Accounts, "createKey">,
    keys: {
      async findKey(hash: string) {
        const id = keys.get(hash);
        await between();
        if (id === undefined) return undefined;
        const open = { deletedAtMs: null, secretEndsAtMs: null, expiresAtMs: null };
        return { id, enabled: true, ...open } as PresentedKey;
      },
      describeKey: async (id: string) => (isThere(id) ? {} : undefined),
    } as unknown as Pick<AccountsStore, "findKey" | "describeKey" | "updateKey">,
    rights: { noteMaker: async () => {} },
    audit: { write: async () => {} },
    clock: () => 0,
  };
  return { keys, personal: new PersonalKeys(parts) };
}

test("two who come at once have one key, whenever the other one makes it", async () => {
  let other: Promise<string> | undefined;
  const { keys, personal } = setUp(async () => {
    // Between the look by the secret and the one by the id, another process makes the key.
    if (other) return;
    other = personal.secretOf("acct_1", VISITOR);
    await other;
  });
  const mine = await personal.secretOf("acct_1", VISITOR);
  expect(keys.size).toBe(1);
  expect(mine).toBe((await other) ?? "");
});
