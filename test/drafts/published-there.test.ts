// What becomes of a draft on the platform's own page is what the console shows next.
import { expect, test } from "bun:test";
import { bodyOf } from "../support/browser.ts";
import { perFile } from "../support/houses/house.ts";
import { wholeConsole } from "../support/houses/whole-console.ts";

const house = await perFile((parts) => wholeConsole(parts, { FAREGATE_PLATFORM_PUBLISH_MS: "20" }));
const operator = await house.operator("op@example.com");
const mine = await house.account(operator, "Mine");
const member = await house.person(operator, mine, "member", "member@example.com");
const drafts = `/api/accounts/${mine}/drafts`;

interface Row {
  readonly id: string;
  readonly status: string;
}

/** A draft in the box of the account, and the platform's address of it. */
async function inBox(title: string) {
  const source = { format: "markdown", text: "Some words." };
  const made = await bodyOf(member.post(drafts, { articles: [{ title, source }] }));
  const id = String(made.id);
  await bodyOf(member.post(`${drafts}/${id}/push`));
  const draft = await bodyOf(member.get(`${drafts}/${id}`));
  expect(draft.status).toBe("in_box");
  const { data } = await bodyOf<{ data: { appid: string }[] }>(
    member.get("/api/platform/accounts"),
  );
  return { id, there: `/api/platform/accounts/${data[0]?.appid}/drafts/${draft.media_id}` };
}

/** As the page of all drafts does it: it has the server look, and then reads the list. */
async function listed(id: string): Promise<string | undefined> {
  await bodyOf(member.get(`${drafts}/look`));
  const { data } = await bodyOf<{ data: Row[] }>(member.get(drafts));
  return data.find((row) => row.id === id)?.status;
}

/** As the page of one draft does it. */
async function opened(id: string): Promise<unknown> {
  await bodyOf(member.get(`${drafts}/look?draft=${id}`));
  return (await bodyOf(member.get(`${drafts}/${id}`))).status;
}

test("one that was published there is published here, however lately anybody looked", async () => {
  const [first, second] = [await inBox("First"), await inBox("Second")];
  expect(await listed(first.id)).toBe("in_box");
  expect(await opened(second.id)).toBe("in_box");
  for (const { there } of [first, second]) await bodyOf(member.post(`${there}/publish`));
  expect(await listed(first.id)).toBe("published");
  expect(await opened(second.id)).toBe("published");
});
