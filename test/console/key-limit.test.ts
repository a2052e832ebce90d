// How many keys an account may have, whichever way they are made.
import { expect, test } from "bun:test";
import { type Browser, bodyOf } from "../support/browser.ts";
import { perFile } from "../support/houses/house.ts";
import { wholeConsole } from "../support/houses/whole-console.ts";

const KEYS_MAX = 3;

const house = await perFile((parts) =>
  wholeConsole(parts, { FAREGATE_KEYS_PER_ACCOUNT: String(KEYS_MAX) }),
);
const operator = await house.operator("op@example.com");

type Made = { readonly id: string };

const create = (browser: Browser, account: string) =>
  browser.post(`/api/accounts/${account}/keys`, { name: "k" });

async function expectRefused(answer: Response): Promise<void> {
  expect(answer.status).toBe(400);
  const { error } = (await answer.json()) as { error: { code: string; message: string } };
  expect(error.code).toBe("key_limit_reached");
  expect(error.message).toContain(`This account has ${KEYS_MAX} keys`);
  expect(error.message).toContain("FAREGATE_KEYS_PER_ACCOUNT");
}

test("an account has no more keys than it may, until one is deleted", async () => {
  const account = await house.account(operator, "Customer");
  const answers = await Promise.all(
    Array.from({ length: KEYS_MAX + 2 }, () => create(operator, account)),
  );
  const made = answers.filter(({ ok }) => ok);
  expect(made).toHaveLength(KEYS_MAX);
  for (const answer of answers) if (!answer.ok) await expectRefused(answer);
  const [first] = made;
  if (!first) throw new Error("no key was made");
  const { id } = (await first.json()) as Made;
  await bodyOf(operator.send("DELETE", `/api/accounts/${account}/keys/${id}`));
  expect((await create(operator, account)).ok).toBe(true);
  await expectRefused(await create(operator, account));
  // Nothing is left of keys that were not made.
  const text = "select count(*) as n from key_makers";
  const [makers] = await house.sql.query<{ n: bigint }>(text);
  expect(Number(makers?.n)).toBe(KEYS_MAX + 1);
});

test("a key that the console needs for somebody counts, and is refused like any other", async () => {
  const account = await house.account(operator, "Customer");
  const ask = () =>
    operator.post(`/api/accounts/${account}/playground/chat/completions`, {
      model: "sandbox-1.0",
      messages: [{ role: "user", content: "Hello" }],
    });
  for (let at = 0; at < KEYS_MAX; at++) await bodyOf(create(operator, account));
  await expectRefused(await ask());
  const [key] = (await bodyOf<{ data: Made[] }>(operator.get(`/api/accounts/${account}/keys`)))
    .data;
  await bodyOf(operator.send("DELETE", `/api/accounts/${account}/keys/${key?.id}`));
  const answer = await ask();
  expect(((await answer.json()) as { error?: { code: string } }).error?.code).not.toBe(
    "key_limit_reached",
  );
  await expectRefused(await create(operator, account));
});
