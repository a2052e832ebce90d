import { expect, test } from "bun:test";
import { onEngines } from "../../../test/store/engines.ts";
import { type Browser, bodyOf, newGuest } from "../../../test/support/browser.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import { peopleHouse } from "../../../test/support/houses/people-house.ts";

interface Shown {
  readonly id: string;
  readonly email: string;
  readonly mailed: boolean;
  readonly token_link: string | null;
}

onEngines("the link of an invitation on $name", (engine) => {
  const silent = perSuite((parts) => peopleHouse(parts, { engine, mailless: true }));
  const posting = perSuite((parts) => peopleHouse(parts, { engine }));

  async function inviting(house: typeof silent, email: string, role = "member") {
    const { browser, accountId } = await house.owner(`owner-of-${email}`);
    const list = `/api/accounts/${accountId}/invitations`;
    const made = await bodyOf<Shown>(browser.post(list, { email, role }));
    return { browser, accountId, list, made };
  }

  async function refusalOf(answer: Promise<Response>) {
    const response = await answer;
    const { error } = (await response.json()) as { error: { message: string; param?: string } };
    return { status: response.status, ...error };
  }

  test("is told again to an owner, as it was, and lets its guest in", async () => {
    const { browser, list, made } = await inviting(silent, "again@example.com");
    const [listed] = (await bodyOf<{ data: Shown[] }>(browser.get(list))).data;
    expect(listed).toMatchObject({ id: made.id, mailed: false });
    expect(JSON.stringify(listed)).not.toContain("ln-fg-");
    const told = await bodyOf(browser.post(`${list}/${made.id}/link`));
    expect(told).toEqual({ id: made.id, token_link: made.token_link });
    const token = made.token_link?.split("#").at(-1) ?? "";
    const rows = await silent.sql.query("select * from invitation_links");
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(token);
    await newGuest(silent.url, token, "again@example.com");
    // What was used is not told any more, and nothing of it is kept.
    expect((await refusalOf(browser.post(`${list}/${made.id}/link`))).status).toBe(404);
    const left = await silent.sql.query("select * from invitation_links where invitation_id = $1", [
      made.id,
    ]);
    expect(left).toEqual([]);
  });

  test("is gone when the invitation is withdrawn or another account's", async () => {
    const { browser, list, made } = await inviting(silent, "gone@example.com");
    const other = await silent.owner("other@example.com");
    const foreign = `/api/accounts/${other.accountId}/invitations/${made.id}/link`;
    expect((await refusalOf(other.browser.post(foreign))).status).toBe(404);
    expect((await refusalOf(other.browser.post(`${list}/${made.id}/link`))).status).toBe(404);
    await bodyOf(browser.send("DELETE", `${list}/${made.id}`));
    expect((await refusalOf(browser.post(`${list}/${made.id}/link`))).status).toBe(404);
  });

  test("that was mailed is shown to nobody, but can be mailed once more", async () => {
    const { browser, list, made } = await inviting(posting, "mailed@example.com");
    const token = posting.lastToken();
    expect(made).toMatchObject({ mailed: true, token_link: null });
    const refused = await refusalOf(browser.post(`${list}/${made.id}/link`));
    expect(refused).toMatchObject({ status: 400, param: "id" });
    expect(refused.message).toContain("mailed");
    const before = posting.mails.length;
    await bodyOf(browser.post(`${list}/${made.id}/mail`));
    expect(posting.mails.length).toBe(before + 1);
    expect(posting.mails.at(-1)?.to).toBe("mailed@example.com");
    expect(posting.lastToken()).toBe(token);
  });

  test("is not told either while its mail is on its way", async () => {
    const { browser, accountId } = await posting.owner("hasty@example.com");
    const list = `/api/accounts/${accountId}/invitations`;
    const seen: number[] = [];
    posting.mailing = async () => {
      const [open] = (await bodyOf<{ data: Shown[] }>(browser.get(list))).data;
      seen.push((await browser.post(`${list}/${open?.id}/link`)).status);
    };
    const form = { email: "victim@example.com", role: "member" };
    const made = await bodyOf<Shown>(browser.post(list, form));
    posting.mailing = undefined;
    expect(seen).toEqual([400]);
    expect(made).toMatchObject({ mailed: true, token_link: null });
  });

  test("is told where the mail server did not take it, and proves nothing then", async () => {
    posting.mailing = () => Promise.reject(new Error("away"));
    const { browser, list, made } = await inviting(posting, "unmailed@example.com");
    posting.mailing = undefined;
    expect(made.mailed).toBe(false);
    expect(made.token_link).toContain("ln-fg-");
    const told = await bodyOf<Shown>(browser.post(`${list}/${made.id}/link`));
    expect(told.token_link).toBe(made.token_link);
    await bodyOf(browser.post(`${list}/${made.id}/mail`));
    const [listed] = (await bodyOf<{ data: Shown[] }>(browser.get(list))).data;
    expect(listed).toMatchObject({ id: made.id, mailed: false });
  });

  test("cannot be mailed where nothing sends mail, which is said", async () => {
    const { browser, list, made } = await inviting(silent, "nomail@example.com");
    const refused = await refusalOf(browser.post(`${list}/${made.id}/mail`));
    expect(refused.status).toBe(400);
    expect(refused.message).toContain("FAREGATE_SMTP_URL");
  });

  test("of an owner is not told to a token that could make none", async () => {
    const { list, made } = await inviting(silent, "boss@example.com", "owner");
    const operator = await silent.operator("op-links@example.com");
    const form = { name: "some", scopes: ["read", "write"] };
    const { secret } = await bodyOf(operator.post("/api/operator/tokens", form));
    const call = () =>
      fetch(`${silent.url}${list}/${made.id}/link`, {
        method: "POST",
        headers: { authorization: `Bearer ${secret}` },
      });
    expect((await refusalOf(call())).status).toBe(403);
  });

  test("of an operator is told to operators who are signed in, and to nobody else", async () => {
    const operator = await silent.operator("op-house@example.com");
    const list = `/api/accounts/${silent.operatorAccount.id}/invitations`;
    const invite = (by: Browser, form: object) => bodyOf<Shown>(by.post(list, form));
    const plain = await invite(operator, { email: "plain@example.com", role: "owner" });
    const token = plain.token_link?.split("#").at(-1) ?? "";
    const owner = await newGuest(silent.url, token, "plain@example.com");
    const form = { email: "ruler@example.com", role: "member", operator: true };
    const ruling = await invite(operator, form);
    expect((await refusalOf(owner.post(`${list}/${ruling.id}/link`))).status).toBe(403);
    const told = await bodyOf(operator.post(`${list}/${ruling.id}/link`));
    expect(told.token_link).toBe(ruling.token_link);
  });
});
