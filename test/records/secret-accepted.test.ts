// A secret that is lost, and another one that is accepted: what the installation has made for itself is made anew.
import { describe, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Accounts } from "../../src/accounts/accounts.ts";
import { OperatorLinks } from "../../src/accounts/people/operator-links.ts";
import { peopleStores } from "../../src/accounts/tables/open.ts";
import { firstRun } from "../../src/cli/first-run.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { typed } from "../cli/commands.ts";
import { SQLITE } from "../store/engines.ts";
import { Browser, bodyOf, newOperator, PASSWORD } from "../support/browser.ts";
import { partsOfTest } from "../support/houses/house.ts";
import { wholeApp } from "../support/houses/whole-app.ts";
import type { JsonObject } from "../support/samples/wires.ts";

const parts = partsOfTest();
const [LOST, FOUND] = [
  "the secret that everything was sealed with",
  "another one that has as many characters",
];

describe("where the secret is lost and another one accepted", () => {
  test("the commands of drafts and of the platform go on", async () => {
    const folder = parts.folder();
    const settings = { FAREGATE_DATA: join(folder, "data") };
    const json = async (...words: string[]) => {
      const { code, stdout, stderr } = await typed([...words, "--json"], settings);
      expect([words, code, stderr]).toEqual([words, 0, expect.any(String)]);
      return JSON.parse(stdout) as JsonObject;
    };
    const push = (title: string) => {
      const file = join(folder, `${title}.md`);
      writeFileSync(file, `---\nauthor: Ada\n---\n# ${title}\n\nThey stay.\n`);
      return json("draft", "push", file);
    };
    const draft = await push("Cranes");
    const { appid, secret } = await json("platform", "account");
    const { access_token } = await json("platform", "token");
    rmSync(join(settings.FAREGATE_DATA, "secret.key"));
    expect((await typed(["secret", "accept"], settings)).code).toBe(0);
    // The draft of before is in the same box, which is found with a secret of its own.
    expect(await push("Storks")).toMatchObject({ status: "in_box" });
    expect(await json("draft", "get", String(draft.id))).toMatchObject({ status: "in_box" });
    const account = await json("platform", "account");
    expect(account).toEqual({ appid, secret: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect(account.secret).not.toBe(secret);
    expect(await json("platform", "account")).toEqual(account);
    expect((await json("platform", "token")).access_token).not.toBe(access_token);
  });

  test("the console calls models, and shows the boxes of the platform", async () => {
    const site = await SQLITE.site(parts);
    const base = "/api/accounts";
    const asked = { model: "sandbox-1.0", input: "Say hello.", store: false };
    const before = await wholeApp(parts, site, { FAREGATE_SECRET: LOST });
    await firstRun(before.store, new Accounts(before.store.accounts, systemClock, 0), systemClock);
    const account = (await before.store.accounts.operatorAccount())?.id;
    const links = new OperatorLinks(peopleStores(before.store.sql, systemClock).links, systemClock);
    const email = "op@example.com";
    const operator = await newOperator(before.url, await links.create(), email);
    const playground = `${base}/${account}/playground/responses`;
    await bodyOf(operator.post(playground, asked));
    await bodyOf(operator.get(`${base}/${account}/public-accounts`));
    await before.stop();
    await before.store.close();
    const settings = { ...site.settings, FAREGATE_SECRET: FOUND };
    expect((await typed(["secret", "accept"], settings)).code).toBe(0);
    const after = await wholeApp(parts, site, { FAREGATE_SECRET: FOUND });
    const browser = new Browser(after.url);
    await bodyOf(browser.post("/api/auth/sign-in/email", { email, password: PASSWORD }));
    await bodyOf(browser.post(playground, asked));
    await bodyOf(browser.get(`${base}/${account}/public-accounts`));
    expect(await bodyOf(browser.get("/api/platform/accounts"))).toMatchObject({ data: [{}] });
  });
});
