// How much an account can be given. The databases count to 9.2 billion dollars in nano-dollars, and no further.
import { describe, expect, test } from "bun:test";
import { ENGINES } from "../../test/store/engines.ts";
import { account, credit } from "../../test/store/samples.ts";
import { faultOf } from "../../test/support/errors.ts";
import { perTest } from "../../test/support/houses/house.ts";

const USD = 1_000_000_000n;
const MOST_AT_ONCE = 100_000_000n * USD;

describe.each(ENGINES)("credits on $name", (engine) => {
  const here = perTest(async (parts) => {
    const site = await engine.site(parts);
    const store = await site.open();
    const { id } = account();
    await store.accounts.createAccount(account({ id }));
    return { store, id };
  });

  const refused = { code: "decimal_above_max_value", status: 400, param: "amount" };

  test("are refused where one is larger than a hundred million dollars", async () => {
    const { store, id } = here;
    expect(await faultOf(credit(store, id, MOST_AT_ONCE + 1n))).toMatchObject(refused);
    expect(await store.ledger.balance(id)).toMatchObject({ credited: 0n });
  });

  test("are refused before an account has more than the databases can count, and told again where they were made", async () => {
    const { store, id } = here;
    for (let i = 0; i < 90; i++) await credit(store, id, MOST_AT_ONCE);
    const last = {
      id: "crd_last",
      accountId: id,
      kind: "topup",
      note: "t",
      createdAtMs: 1,
    } as const;
    const fault = await faultOf(store.ledger.credit({ ...last, amount: 1n }));
    expect(fault).toMatchObject(refused);
    expect(fault.message).toContain("9000000000.0 USD");
    expect(await store.ledger.balance(id)).toMatchObject({ credited: 90n * MOST_AT_ONCE });
    expect((await store.ledger.verify()).problems).toEqual([]);

    await store.ledger.debit({ ...last, id: "deb_1", kind: "refund", amount: 5n });
    expect(await store.ledger.credit({ ...last, amount: 5n })).toBe(true);
    expect(await store.ledger.credit({ ...last, amount: 5n })).toBe(false);
    // What is given back was there before.
    expect(await store.ledger.credit({ ...last, id: "res_1", kind: "restore", amount: 9n })).toBe(
      true,
    );
  });
});
