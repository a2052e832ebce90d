// What the audit log tells operators: who, what, by which name, and from what to what.
import { describe, expect, test } from "bun:test";
import { type Browser, bodyOf } from "../support/browser.ts";
import { perFile } from "../support/houses/house.ts";
import { wholeConsole } from "../support/houses/whole-console.ts";

interface Report {
  readonly action: string;
  readonly actor: string;
  readonly actor_name: string | null;
  readonly account_name: string | null;
  readonly target: string;
  readonly target_name: string | null;
  readonly changes: Readonly<Record<string, { from: unknown; to: unknown }>> | null;
  readonly detail: Readonly<Record<string, unknown>>;
}

const house = await perFile(wholeConsole);
const operator = await house.operator("op@example.com");
const acme = await house.account(operator, "Acme");
const base = `/api/accounts/${acme}`;

async function log(query: string): Promise<readonly Report[]> {
  return (await bodyOf<{ data: Report[] }>(operator.get(`/api/operator/audit?${query}`))).data;
}

async function last(action: string): Promise<Report> {
  const [told] = await log(`action=${action}`);
  if (!told) throw new Error(`nothing was noted of ${action}`);
  return told;
}

const change = (by: Browser, method: "PATCH" | "PUT", path: string, body: object) =>
  bodyOf(by.send(method, path, body));

describe("a change is told from what to what", () => {
  test("of an account", async () => {
    const path = `/api/operator/accounts/${acme}`;
    await change(operator, "PATCH", path, { name: "Acme GmbH", hard: true, enabled: true });
    expect(await last("account.change")).toMatchObject({
      target: acme,
      target_name: "Acme GmbH",
      account_name: "Acme GmbH",
      // What was said and was so already has not changed.
      changes: { name: { from: "Acme", to: "Acme GmbH" }, hard: { from: false, to: true } },
    });
  });

  test("of a key, with its budgets and not with what it spent", async () => {
    const budgets = [{ amount: "5", period: "day" }];
    const key = await bodyOf(operator.post(`${base}/keys`, { name: "first", budgets }));
    const form = { name: "second", rpm: 60, budgets: [{ amount: "7", period: "day" }] };
    await change(operator, "PATCH", `${base}/keys/${key.id}`, form);
    const { changes, target_name } = await last("key.change");
    expect(target_name).toBe("second");
    expect(Object.keys(changes ?? {}).sort()).toEqual(["budgets", "name", "rpm"]);
    expect(changes).toMatchObject({
      name: { from: "first", to: "second" },
      rpm: { to: 60 },
      budgets: { from: [{ amount: "5.0", period: "day" }], to: [{ amount: "7.0", period: "day" }] },
    });
    await change(operator, "PATCH", `${base}/keys/${key.id}`, { enabled: false });
    expect((await last("key.change")).changes).toEqual({ enabled: { from: true, to: false } });
    await bodyOf(operator.send("DELETE", `${base}/keys/${key.id}`));
    expect(await last("key.delete")).toMatchObject({ target: key.id, target_name: "second" });
  });

  test("of a member, by name, also when they are gone", async () => {
    await house.person(operator, acme, "owner", "boss@example.com");
    await house.person(operator, acme, "viewer", "vera@example.com");
    const { data } = await bodyOf<{ data: { id: string; email: string }[] }>(
      operator.get(`${base}/members`),
    );
    const vera = data.find(({ email }) => email === "vera@example.com")?.id ?? "";
    await change(operator, "PATCH", `${base}/members/${vera}`, { role: "member" });
    expect(await last("member.change")).toMatchObject({
      target: vera,
      target_name: "vera@example.com",
      changes: { role: { from: "viewer", to: "member" } },
    });
    await bodyOf(operator.send("DELETE", `${base}/members/${vera}`));
    expect(await last("member.remove")).toMatchObject({
      target_name: "vera@example.com",
      detail: { email: "vera@example.com", role: "member" },
    });
  });

  test("of settings, alerts, a channel and a model", async () => {
    await change(operator, "PUT", "/api/operator/settings", { signup: "open" });
    expect((await last("settings.change")).changes).toEqual({
      signup: { from: "invite", to: "open" },
    });
    await change(operator, "PUT", `${base}/alerts`, { budgets: { enabled: false } });
    expect((await last("alerts.change")).changes).toEqual({
      budgets: { from: { enabled: true }, to: { enabled: false } },
    });
    const vendor = { vendor: "ollama", name: "Local", base_url: "http://127.0.0.1:9" };
    const channel = await bodyOf(operator.post("/api/operator/channels", vendor));
    const path = `/api/operator/channels/${channel.id}`;
    await change(operator, "PATCH", path, { weight: 3, name: "Cellar" });
    expect(await last("channel.change")).toMatchObject({
      target_name: "Cellar",
      changes: { weight: { from: 1, to: 3 }, name: { from: "Local", to: "Cellar" } },
    });
    await bodyOf(operator.send("DELETE", path));
    expect(await last("channel.delete")).toMatchObject({ target_name: "Cellar" });
  });

  test("of an address of a webhook only where it leads, since it often has a secret in it", async () => {
    const webhook = { url: "https://hooks.example.com/T0KEN", enabled: true };
    await change(operator, "PUT", `${base}/alerts`, { webhook });
    const told = await last("alerts.change");
    expect(JSON.stringify(told)).not.toContain("T0KEN");
    expect(told.changes).toMatchObject({
      webhook: { from: null, to: { url: "https://hooks.example.com" } },
    });
  });
});

test("whoever acted and was invited is told by name", async () => {
  await bodyOf(operator.post(`${base}/invitations`, { email: "new@example.com", role: "viewer" }));
  const told = await last("invitation.create");
  expect(told).toMatchObject({
    actor: "op@example.com",
    actor_name: "op@example.com",
    account_name: "Acme GmbH",
    target_name: "new@example.com",
  });
  const { data } = await bodyOf<{ data: { id: string }[] }>(operator.get(`${base}/invitations`));
  await bodyOf(operator.send("DELETE", `${base}/invitations/${data[0]?.id}`));
  expect(await last("invitation.withdraw")).toMatchObject({ target_name: "new@example.com" });
});
