// Pictures that were uploaded before: used again where they still are, and uploaded anew where they are not.
import { expect, test } from "bun:test";
import type { ArticleDoc } from "../../src/drafts/contract/article.ts";
import type { Draft } from "../../src/drafts/draft.ts";
import { newId } from "../../src/lib/ids.ts";
import { boxOnPlatform } from "../support/houses/box-on-platform.ts";
import { perSuite } from "../support/houses/house.ts";
import { servedPlatform } from "../support/houses/served-platform.ts";
import { animatedGif, picture } from "../support/samples/pictures.ts";

const PUBLIC_URL = "https://gate.example";

const served = perSuite(servedPlatform);
const remote = perSuite(() => served.account());
const near = perSuite((parts) => boxOnPlatform(parts, { url: served.url, account: remote }));
/** People reach it by a name that leads nowhere from here. */
const named = perSuite((parts) => servedPlatform(parts, { FAREGATE_PUBLIC_URL: PUBLIC_URL }));
const far = perSuite(async (parts) => {
  const place = { url: named.url, publicUrl: `${PUBLIC_URL}/platform` };
  return boxOnPlatform(parts, { ...place, account: await named.account() });
});
const accountId = newId("acc_");

/** Its cover is a card with its title. */
const showing = (title: string, bytes: Buffer): ArticleDoc => ({
  type: "news",
  title,
  source: { format: "markdown", text: `![](data:image/png;base64,${bytes.toString("base64")})` },
});

async function push({ draftService }: typeof near, article: ArticleDoc) {
  const { id } = await draftService.create(accountId, { articles: [article], by: "me" });
  return draftService.push(accountId, id);
}

/** What whoever looks at the pictures of its text is answered. */
async function picturesOf({ mediaId }: Draft): Promise<readonly number[]> {
  const { body } = await served.post("/cgi-bin/draft/get", `{"media_id":"${mediaId}"}`, remote);
  const [item] = (body.news_item ?? []) as Record<string, unknown>[];
  const urls = [...String(item?.content).matchAll(/data-src="([^"]+)"/g)].map(
    ([, url = ""]) => url,
  );
  return Promise.all(urls.map(async (url) => (await fetch(url.replaceAll("&amp;", "&"))).status));
}

test.each([
  ["stands still", (): Promise<Buffer> => picture("png", 61, 41)],
  ["moves", async (): Promise<Buffer> => Buffer.from(animatedGif(61, 41))],
])(
  "what %s in a text and is lost on the platform is uploaded anew, also under a new cover",
  async (what, draw) => {
    const { draftService } = near;
    const first = showing(`it ${what}`, await picture("png", 60, 40));
    const { draft } = await push(near, first);
    const before = await served.controlled("GET", "state");
    const changed = showing(`it ${what}: before`, await draw());
    const save = (article: ArticleDoc, base: number) =>
      draftService.save(accountId, draft.id, { articles: [article], by: "me", base });
    const { version } = await save(changed, draft.version);
    expect(await picturesOf((await draftService.push(accountId, draft.id)).draft)).toEqual([200]);
    // The draft is in the box as it was, and what was uploaded since is nowhere any more.
    await served.controlled("PUT", "state", before);
    await save({ ...changed, title: `it ${what}: after` }, version);
    const again = await draftService.push(accountId, draft.id);
    expect(again.draft.mediaId).toBe(draft.mediaId);
    expect(await picturesOf(again.draft)).toEqual([200]);
    expect(again.receipt).toMatchObject({ uploadedFiles: 2, reusedFiles: 0 });
  },
);

test("what was uploaded while the platform had another address is uploaded anew", async () => {
  const bytes = await picture("png", 62, 41);
  await push(near, showing("moved: before", bytes));
  const elsewhere = served.url.replace("127.0.0.1", "before.example");
  const places = [served.url, elsewhere];
  await near.sql.query("UPDATE draft_uploads SET url = replace(url, $1, $2)", places);
  const { draft, receipt } = await push(near, showing("moved: after", bytes));
  expect(await picturesOf(draft)).toEqual([200]);
  expect(receipt).toMatchObject({ uploadedFiles: 2, reusedFiles: 0 });
});

test("what is there is uploaded once, also where people reach the platform at another address", async () => {
  const bytes = await picture("png", 63, 41);
  for (const house of [near, far]) {
    await push(house, showing("there: before", bytes));
    const { receipt } = await push(house, showing("there: after", bytes));
    expect(receipt).toMatchObject({ uploadedFiles: 1, reusedFiles: 1 });
  }
});
