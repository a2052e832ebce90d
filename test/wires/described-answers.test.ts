// What the description of the API says of the calls by key, held against what they really answer: each is made with
// the very example that a reader finds there.
import { describe, expect, test } from "bun:test";
import { Accounts } from "../../src/accounts/accounts.ts";
import { firstRun } from "../../src/cli/first-run.ts";
import { operationsOf } from "../../src/http/openapi/describe-api.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { isFile, type Operation } from "../../src/lib/contract.ts";
import { SQLITE } from "../store/engines.ts";
import { type Parts, perFile } from "../support/houses/house.ts";
import { wholeApp } from "../support/houses/whole-app.ts";

const MODEL = "sandbox-1.0";
const EMBEDDING_MODEL = "sandbox-embedding-1.0";

const house = await perFile(async (parts: Parts) => {
  const app = await wholeApp(parts, await SQLITE.site(parts), { FAREGATE_SANDBOX: "on" });
  const accounts = new Accounts(app.store.accounts, systemClock, 0);
  await firstRun(app.store, accounts, systemClock);
  const account = await app.store.accounts.operatorAccount();
  const made = await accounts.createKey(account?.id ?? "", { name: "reader", accountRead: true });
  const headers = { authorization: `Bearer ${made?.key}`, "content-type": "application/json" };
  const post = async (path: string, body: object) => {
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    return (await (await fetch(app.url + path, init)).json()) as { id: string };
  };
  const kept = await post("/v1/responses", { model: MODEL, input: "Hello" });
  return { ...app, headers, post, kept: kept.id };
});

/** The gateway's own: drafts by key have suites of theirs. */
const calls = operationsOf(house.routes).filter(
  ({ path }) => /^\/v1(?:beta)?\//.test(path) && !/^\/v1\/(?:drafts|wechat)/.test(path),
);

/** What stands for `:id` in a path. */
async function idFor({ method, path }: Operation): Promise<string> {
  if (path.includes("mbedContent")) return EMBEDDING_MODEL;
  if (!path.includes("/responses/")) return MODEL;
  if (method !== "DELETE") return house.kept;
  return (await house.post("/v1/responses", { model: MODEL, input: "Bye" })).id;
}

async function call(operation: Operation, changes: object = {}, query = ""): Promise<Response> {
  const { method, path, example } = operation;
  const address = house.url + path.replace("/:id", `/${await idFor(operation)}`) + query;
  const body = example === undefined ? undefined : JSON.stringify({ ...example, ...changes });
  return fetch(address, { method, headers: house.headers, ...(body && { body }) });
}

const nameOf = ({ method, path }: Operation) => `${method} ${path}`;

describe("the calls by key", () => {
  test.each(calls.map((each) => [nameOf(each), each] as const))("%s", async (_, operation) => {
    const query = operation.path === "/v1/generation" ? `?id=${house.kept}` : "";
    const response = await call(operation, {}, query);
    const answer: unknown = await response.json();
    expect({ status: response.status, answer }).toMatchObject({ status: operation.status });
    if (isFile(operation.answer)) throw new Error("none of them is a file");
    expect(operation.answer.safeParse(answer).error?.issues).toBeUndefined();
  });

  const streamed = calls.filter(({ stream }) => stream !== undefined);
  test.each(streamed.map((each) => [nameOf(each), each] as const))(
    "%s, as a stream",
    async (_, operation) => {
      const isGoogle = operation.path.includes("/models/");
      const response = await call(
        operation,
        isGoogle ? {} : { stream: true },
        isGoogle ? "?alt=sse" : "",
      );
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toStartWith("text/event-stream");
      expect(await response.text()).toContain("data: ");
    },
  );

  const kept = calls.filter(({ headers }) => headers && "idempotency-key" in headers.shape);
  test.each(kept.map((each) => [nameOf(each), each] as const))(
    "%s, asked again",
    async (_, operation) => {
      const { headers } = house;
      const again = { ...headers, "idempotency-key": nameOf(operation).replaceAll(" ", "") };
      const ask = async () => {
        const address = house.url + operation.path.replace("/:id", `/${await idFor(operation)}`);
        const body = JSON.stringify(operation.example);
        const response = await fetch(address, { method: "POST", headers: again, body });
        await response.text();
        return response.headers.get("x-faregate-idempotency");
      };
      expect([await ask(), await ask()]).toEqual(["first", "replay"]);
    },
  );

  const models = calls.filter(({ method, path }) => method === "GET" && path.includes("/models"));
  test.each([
    ["anthropic-version", "2023-06-01"],
    ["x-goog-api-key", "none"],
  ])("lists of models where %s is sent", async (name, value) => {
    for (const operation of models) {
      const address = house.url + operation.path.replace(":id", MODEL);
      const response = await fetch(address, { headers: { ...house.headers, [name]: value } });
      expect(response.status).toBe(200);
      if (isFile(operation.answer)) throw new Error("none of them is a file");
      expect(operation.answer.safeParse(await response.json()).error?.issues).toBeUndefined();
    }
  });

  test("say what is wrong as they are described to", async () => {
    for (const { method, path, fault } of calls) {
      if (!fault) continue;
      const response = await fetch(house.url + path.replace(":id", MODEL), { method });
      expect(response.status).toBe(401);
      expect(fault.safeParse(await response.json()).error?.issues).toBeUndefined();
    }
  });
});
