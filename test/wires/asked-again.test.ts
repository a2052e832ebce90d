// Every call by key whose description names the Idempotency-Key gives the first answer to whoever asks again.
import { expect, test } from "bun:test";
import { Accounts } from "../../src/accounts/accounts.ts";
import { firstRun } from "../../src/cli/first-run.ts";
import { operationsOf } from "../../src/http/openapi/describe-api.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { bodyExample, type Operation } from "../../src/lib/contract.ts";
import { SQLITE } from "../store/engines.ts";
import { type Parts, perFile } from "../support/houses/house.ts";
import { wholeApp } from "../support/houses/whole-app.ts";

const house = await perFile(async (parts: Parts) => {
  const app = await wholeApp(parts, await SQLITE.site(parts), { FAREGATE_SANDBOX: "on" });
  const accounts = new Accounts(app.store.accounts, systemClock, 0);
  const { key = "" } = (await firstRun(app.store, accounts, systemClock)) ?? {};
  const { id = "" } = (await app.store.accounts.operatorAccount()) ?? {};
  const slow = await accounts.createKey(id, { name: "slow", requestsPerMinute: 2 });
  return { ...app, key, slowKey: slow?.key };
});

/** The gateway's own: drafts by key have suites of theirs. */
const calls = operationsOf(house.routes).filter(
  ({ path, headers }) =>
    /^\/v1(?:beta)?\/(?!drafts|wechat)/.test(path) &&
    headers !== undefined &&
    "idempotency-key" in headers.shape,
);

const nameOf = ({ method, path }: Operation) => `${method} ${path}`;

test.each(calls.map((each) => [nameOf(each), each] as const))("%s", async (name, operation) => {
  const model = name.includes("mbedContent") ? "sandbox-embedding-1.0" : "sandbox-1.0";
  const ask = async () => {
    const response = await fetch(house.url + operation.path.replace("/:id", `/${model}`), {
      method: operation.method,
      headers: {
        authorization: `Bearer ${house.key}`,
        "content-type": "application/json",
        "idempotency-key": name.replaceAll(" ", ""),
      },
      body: JSON.stringify(bodyExample(operation)),
    });
    return [response.headers.get("x-faregate-idempotency"), await response.text()];
  };
  const [state, text = null] = await ask();
  expect([state, await ask()]).toEqual(["first", ["replay", text]]);
});

test("does not count in the requests per minute of a key, though in a full one nobody is heard", async () => {
  const ask = async (value: string) => {
    const response = await fetch(`${house.url}/v1/responses`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${house.slowKey}`,
        "content-type": "application/json",
        "idempotency-key": value,
      },
      body: JSON.stringify({ model: "sandbox-1.0", input: "Say hello." }),
    });
    await response.text();
    return [response.status, response.headers.get("x-faregate-idempotency")];
  };
  expect(await ask("one")).toEqual([200, "first"]);
  for (let i = 0; i < 3; i++) expect(await ask("one")).toEqual([200, "replay"]);
  expect(await ask("two")).toEqual([200, "first"]);
  expect(await ask("two")).toEqual([429, null]);
});
