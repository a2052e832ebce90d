// What ⌘K finds: things by name or id, within the account, and for operators in all of them.
import { beforeAll, expect, test } from "bun:test";
import { onEngines } from "../store/engines.ts";
import { type Browser, bodyOf } from "../support/browser.ts";
import { perSuite } from "../support/houses/house.ts";
import { wholeConsole } from "../support/houses/whole-console.ts";

interface Found {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
  readonly hint: string | null;
  readonly account_id: string | null;
  readonly account_name: string | null;
}

onEngines("the search on $name", (engine) => {
  const house = perSuite((parts) => wholeConsole(parts, {}, engine));
  const made = { acme: "", other: "", key: "", foreign: "", draft: "", request: "" };
  let operator: Browser;
  let viewer: Browser;

  async function found(by: Browser, path: string, q: string): Promise<readonly Found[]> {
    const query = new URLSearchParams({ q });
    return (await bodyOf<{ data: Found[] }>(by.get(`${path}?${query}`))).data;
  }
  const within = (q: string) => found(viewer, `/api/accounts/${made.acme}/search`, q);
  const everywhere = (q: string) => found(operator, "/api/operator/search", q);
  const briefly = (rows: readonly Found[]) => rows.map(({ kind, id }) => [kind, id]);

  beforeAll(async () => {
    operator = await house.operator("op@example.com");
    made.acme = await house.account(operator, "Acme 100%");
    made.other = await house.account(operator, "Other");
    viewer = await house.person(operator, made.acme, "viewer", "vera@example.com");
    await house.person(operator, made.other, "owner", "veronica@example.com");
    const base = `/api/accounts/${made.acme}`;
    const key = await bodyOf(operator.post(`${base}/keys`, { name: "Production backend" }));
    made.key = String(key.id);
    const others = `/api/accounts/${made.other}/keys`;
    made.foreign = String((await bodyOf(operator.post(others, { name: "Production" }))).id);
    const source = { format: "markdown", text: "about production" };
    const articles = [{ title: "十一月的账单", source }];
    made.draft = String((await bodyOf(operator.post(`${base}/drafts`, { articles }))).id);
    const order = await bodyOf(operator.post(`${base}/orders`, { provider: "test", amount: "5" }));
    await bodyOf(operator.post(`${base}/orders/${order.id}/test-pay`));
    const answer = await fetch(`${house.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key.secret}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "sandbox-1.0", messages: [{ role: "user", content: "hi" }] }),
    });
    expect(answer.status).toBe(200);
    made.request = answer.headers.get("x-request-id") ?? "";
  });

  test("finds what an account has, by a part of the name", async () => {
    expect(briefly(await within("PRODUCT"))).toEqual([["key", made.key]]);
    expect(briefly(await within("十一月"))).toEqual([["draft", made.draft]]);
    expect(await within("vera@")).toMatchObject([{ kind: "person", name: "vera@example.com" }]);
    expect(briefly(await within("sandbox-1.0"))).toContainEqual(["model", "sandbox-1.0"]);
  });

  test("finds it by its id", async () => {
    expect(briefly(await within(made.key))).toEqual([["key", made.key]]);
    expect(briefly(await within(made.draft))).toEqual([["draft", made.draft]]);
    const [request, ...more] = await within(` ${made.request} `);
    expect(more).toEqual([]);
    expect(request).toMatchObject({ kind: "request", id: made.request, hint: "sandbox-1.0" });
  });

  test("finds nothing of another account, whoever asks within one", async () => {
    expect(await within(made.foreign)).toEqual([]);
    expect(await within("veronica")).toEqual([]);
    const other = `/api/accounts/${made.other}/search`;
    for (const id of [made.key, made.draft, made.request]) {
      expect(await found(operator, other, id)).toEqual([]);
    }
  });

  test("finds all of it for operators, and says in which account", async () => {
    expect(await everywhere("acme")).toMatchObject([
      { kind: "account", id: made.acme, name: "Acme 100%" },
    ]);
    const keys = await everywhere("production");
    expect(briefly(keys).sort()).toEqual(
      [
        ["key", made.foreign],
        ["key", made.key],
      ].sort(),
    );
    expect(keys.find(({ id }) => id === made.foreign)).toMatchObject({
      account_id: made.other,
      account_name: "Other",
    });
    for (const id of [made.draft, made.request]) {
      expect(await everywhere(id)).toMatchObject([{ id, account_id: made.acme }]);
    }
    expect((await everywhere("ver")).map(({ name }) => name).sort()).toEqual([
      "vera@example.com",
      "veronica@example.com",
    ]);
  });

  test("takes capital letters of every script for small ones, and the other way round", async () => {
    const keys = `/api/accounts/${made.acme}/keys`;
    const { id } = await bodyOf<Found>(operator.post(keys, { name: "Ökologie ПРОЕКТ Été" }));
    for (const words of ["Ökologie ПРОЕКТ Été", "öko", "ÖKO", "Проект", "проект", "éTÉ"]) {
      expect([words, briefly(await within(words))]).toEqual([words, [["key", id]]]);
    }
    const accents = await house.account(operator, "Ärzte");
    const list = `/api/operator/accounts?${new URLSearchParams({ q: "ärzte" })}`;
    expect((await bodyOf<{ data: Found[] }>(operator.get(list))).data).toMatchObject([
      { id: accents },
    ]);
  });

  test("leads to a deleted key by its id alone", async () => {
    const keys = `/api/accounts/${made.acme}/keys`;
    const { id, last_four } = await bodyOf<Found & { last_four: string }>(
      operator.post(keys, { name: "Short-lived" }),
    );
    await bodyOf(operator.send("DELETE", `${keys}/${id}`));
    expect(briefly(await within(id))).toEqual([["key", id]]);
    expect(await within("short-lived")).toEqual([]);
    expect(briefly(await within(last_four))).not.toContainEqual(["key", id]);
  });

  test("takes signs of patterns as themselves, and nothing for nothing", async () => {
    expect(briefly(await everywhere("100%"))).toEqual([["account", made.acme]]);
    expect(await everywhere("1%0")).toEqual([]);
    expect(await everywhere("_")).toEqual([]);
    expect(await everywhere("  ")).toEqual([]);
    const long = await operator.get(`/api/operator/search?q=${"x".repeat(301)}`);
    expect(await long.json()).toMatchObject({ error: { param: "q" } });
  });
});
