// A vendor reports far more input than a request has. The account pays for our bound of it, the house for the rest.
import { describe, expect, test } from "bun:test";
import { hashSecret } from "../../src/accounts/keys/secret.ts";
import type { Receipt } from "../../src/ledger/receipt.ts";
import { newId } from "../../src/lib/ids.ts";
import type { Store } from "../../src/store/store.ts";
import { ENGINES } from "../store/engines.ts";
import { account, credit, key as keyRow } from "../store/samples.ts";
import { nano } from "../support/books.ts";
import { perSuite } from "../support/houses/house.ts";
import { promptOf, type Script } from "./vendor.ts";
import { type Gateway, openGateway, type TestModel } from "./world.ts";

/** At 5 dollars for a million tokens of input, of which it can read a little more. */
const MODEL: TestModel = {
  id: "false-1.0",
  input: 5_000_000n,
  output: 25_000_000n,
  maxOutput: 4_096,
  context: 1_050_000,
};
/** The same of an operator's own, whose tokenizer nobody knows. */
const UNKNOWN: TestModel = {
  ...{ ...MODEL, id: "unknown-1.0", context: 20_000 },
  tokenFamily: "unknown",
};
const INPUT_NANO = 5_000n;
const OUTPUT_NANO = 25_000n;
const DAY_MS = 86_400_000;

const LIE = 1_000_000;
const SCRIPT: Script = {
  words: 2,
  thoughts: 0,
  counts: "honest",
  obeys: true,
  searches: false,
  step: 20,
};

describe.each(ENGINES)("on $name", (engine) => {
  const instances = engine.name === "PostgreSQL" ? 2 : 1;
  const house = perSuite(async (parts) => {
    const site = await engine.site(parts);
    const stores: Store[] = [];
    for (let i = 0; i < instances; i++) stores.push(await site.open());
    const settings = { FAREGATE_LOSS_ACCOUNT_DAY: "1.00" };
    const models = [MODEL, UNKNOWN];
    const gateways = stores.map((store) => openGateway(store, { models, settings }));
    return { site, store: stores[0] as Store, gateways };
  });

  async function open(dollars: string, hard = false) {
    const { store } = house;
    const owner = account({ hard });
    await store.accounts.createAccount(owner);
    await credit(store, owner.id, nano(dollars));
    const secret = newId("secret_");
    const row = keyRow(owner.id, { hash: hashSecret(secret), requestsPerMinute: 0 });
    await store.accounts.createKey(row);
    return { accountId: owner.id, secret };
  }

  type Opened = Awaited<ReturnType<typeof open>>;

  interface Asked {
    readonly input?: number;
    readonly stream?: boolean;
    readonly gateway?: number;
    readonly model?: TestModel;
  }

  async function ask(
    { accountId, secret }: Opened,
    { input, stream = false, gateway = 0, model = MODEL }: Asked,
  ) {
    const content = promptOf({ ...SCRIPT, ...(input === undefined ? {} : { input }) });
    const body = { model: model.id, stream, messages: [{ role: "user", content }] };
    const at = house.gateways[gateway % instances] as Gateway;
    const answer = await at.ask({ key: secret, wire: "chat", body }).catch(() => undefined);
    await answer?.response.text();
    await at.tasks.settled();
    return answer && (await house.store.ledger.findReceipt(answer.id, accountId));
  }

  async function receiptsOf(accountId: string): Promise<Receipt[]> {
    const rows = await house.site.run<{ id: string }>(
      `select id from receipts where account_id = '${accountId}' and billing_reason <> 'refused'`,
    );
    const found = rows.map(({ id }) => house.store.ledger.findReceipt(id, accountId));
    return (await Promise.all(found)) as Receipt[];
  }

  const lossesOf = async (accountId: string) => {
    await house.store.ledger.verify();
    const sums = `cast(sum(requests) as text) as requests, cast(sum(loss) as text) as loss`;
    const [row] = await house.site.run<{ requests: string; loss: string }>(
      `select ${sums} from input_losses where account_id = '${accountId}'`,
    );
    return { requests: Number(row?.requests), loss: BigInt(row?.loss ?? 0) };
  };

  test.each([
    ["5.00", false],
    ["5.00", true],
    ["0.05", true],
  ] as const)(
    "60 short requests that count a million tokens each cost %s no more than our bound (hard: %p)",
    async (dollars, hard) => {
      const opened = await open(dollars, hard);
      const { accountId } = opened;
      await Promise.all(
        Array.from({ length: 60 }, (_, i) =>
          ask(opened, { input: LIE, stream: i % 2 === 0, gateway: i }),
        ),
      );
      const receipts = await receiptsOf(accountId);
      expect(receipts.length).toBeGreaterThan(hard && dollars === "0.05" ? 0 : 10);
      const balance = await house.store.ledger.balance(accountId);
      let charged = 0n;
      let lost = 0n;
      for (const { usage, charge, held, loss, inputLoss } of receipts) {
        expect([usage.output, usage.clamped]).toEqual([2, true]);
        expect(usage.fresh).toBeLessThan(1_000);
        expect(charge.amount).toBe(BigInt(usage.fresh) * INPUT_NANO + 2n * OUTPUT_NANO);
        expect(charge.amount).toBeLessThanOrEqual(held);
        expect(inputLoss).toBe(BigInt(LIE - usage.fresh) * INPUT_NANO);
        expect(loss).toBe(inputLoss);
        charged += charge.amount;
        lost += inputLoss;
      }
      expect(balance).toMatchObject({ charged, held: 0n });
      expect(charged).toBeLessThan(nano(dollars));
      expect(await lossesOf(accountId)).toEqual({ requests: receipts.length, loss: lost });
      const [{ usage }] = receipts as [Receipt];
      console.info(
        `${receipts.length} answered: ${usage.fresh} tokens, ${charged} nano charged, ${lost} lost`,
      );
    },
  );

  test("beyond the loss of a day every instance holds an account at the model's context, until midnight", async () => {
    const opened = await open("100.00");
    const lie = await ask(opened, { input: 150_000 });
    expect(lie?.inputLoss).toBeLessThan(nano("1.00"));
    const before = await ask(opened, {});
    expect(before?.held).toBeLessThan(nano("0.20"));

    await ask(opened, { input: 150_000 });
    const after: (Receipt | undefined)[] = [];
    for (let i = 0; i < instances; i++) {
      // A key is known to each instance for a moment.
      await Bun.sleep(engine.name === "PostgreSQL" ? 60 : 0);
      after.push(await ask(opened, { gateway: i }));
    }
    const context = BigInt(MODEL.context ?? 0) * INPUT_NANO;
    for (const receipt of after) expect(receipt?.held).toBeGreaterThanOrEqual(context);
    // Others are not.
    const other = await open("100.00");
    expect((await ask(other, {}))?.held).toBeLessThan(nano("0.20"));

    const { inputLoss } = await presented(opened.secret);
    expect(inputLoss.amount).toBe((await lossesOf(opened.accountId)).loss);
    expect(inputLoss.day).toBe(Math.floor(Date.now() / DAY_MS));
  });

  async function presented(secret: string) {
    const found = await house.store.accounts.findKey(hashSecret(secret));
    if (!found) throw new Error("no such key");
    return found;
  }

  test("an unknown tokenizer is held at its model's context, and its vendor's counts are charged up to it", async () => {
    const opened = await open("100.00");
    const honest = await ask(opened, { model: UNKNOWN, input: 15_000 });
    expect(honest).toMatchObject({ usage: { fresh: 15_000, clamped: false }, inputLoss: 0n });
    expect(honest?.held).toBeGreaterThanOrEqual(20_000n * INPUT_NANO);
  });
});
