import { describe, expect, test } from "bun:test";
import { POSTGRES } from "../../../test/store/engines.ts";
import { admitted, customer, failureOf, post } from "../../../test/store/samples.ts";
import { perSuite } from "../../../test/support/houses/house.ts";

describe("a batch of money on PostgreSQL", () => {
  const site = perSuite(POSTGRES.site);
  const store = perSuite(() => site.open());

  test("that does not find the rows it has read writes nothing, and leaves the next ones alone", async () => {
    const made = await customer(store, { credit: 1_000n });
    const [kept, other] = [await admitted(store, made, 10n), await admitted(store, made, 20n)];
    await site.run(`create function keep_hold() returns trigger language plpgsql as $body$
      begin return null; end $body$`);
    await site.run(`create trigger keep_hold before delete on holds for each row
      when (old.id = '${kept.requestId}') execute function keep_hold()`);
    const [lost, done] = await Promise.all([
      failureOf(post(store, kept, 5n)),
      post(store, other, 7n),
    ]);
    expect(lost.message).toContain("taken 0");
    expect(done).toBe("done");
    expect(await store.ledger.balance(made.accountId)).toMatchObject({ charged: 7n, held: 10n });
    await site.run("drop trigger keep_hold on holds");
    expect(await post(store, kept, 5n)).toBe("done");
    expect(await store.ledger.verify()).toMatchObject({ openHolds: 0, problems: [] });
  });
});
