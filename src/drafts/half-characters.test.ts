// Texts that were cut through an emoji: half of a character is nothing that the platform can be sent.
import { describe, expect, test } from "bun:test";
import { article, DraftHouse, draftStores } from "../../test/support/houses/draft-house.ts";
import { perSuite } from "../../test/support/houses/house.ts";
import { compileArticles } from "./article/compile.ts";
import type { ArticleDoc } from "./contract/article.ts";
import { toPlatformArticle } from "./platform-api/platform-article.ts";
import type { PlatformFetch } from "./platform-api/platform-http.ts";
import { placeImages, renderArticle, renderPlain } from "./render/render-article.ts";

const drafts = perSuite(draftStores);
const ADD = "/cgi-bin/draft/add";
/** The halves of 🦩, each alone and in the wrong order. */
const HALVES = ["\ud83e", "\udda9", "\udda9\ud83e"];

/** The live platform leaves `\uXXXX` in what it is sent as those six characters. */
function keepingEscapes(fetch: PlatformFetch): PlatformFetch {
  return (address, call) => {
    if (new URL(address).pathname !== ADD) return fetch(address, call);
    const text = new TextDecoder().decode(call.body).replaceAll("\\u", "\\\\u");
    return fetch(address, { ...call, body: Buffer.from(text) });
  };
}

test("a title that was cut through an emoji is in the box once, though the answer was lost", async () => {
  const house = new DraftHouse(drafts.store);
  const { accountId, stub } = house;
  const draftService = house.start({ fetch: keepingEscapes(stub.fetch) });
  const title = "Cranes 🦩".slice(0, 8);
  const { id } = await draftService.create(accountId, { articles: [article(title)], by: "me" });
  let adds = 0;
  house.fault = (path) => (path === ADD && adds++ === 0 ? "slow_after" : undefined);
  const { receipt } = await draftService.push(accountId, id);
  expect(receipt).toMatchObject({ sends: 1, reconciled: true });
  expect([...stub.drafts.values()].map(({ articles }) => articles[0]?.title)).toEqual(["Cranes"]);
});

describe.each(["news", "newspic"] as const)("what is sent of %s", (type) => {
  const renderer = { render: renderArticle, renderPlain, placeImages };

  async function sent(doc: ArticleDoc, author: string | null = null): Promise<string> {
    const [compiled] = await compileArticles(renderer, [doc], { author, theme: null });
    if (!compiled) throw new Error("nothing was compiled");
    const placed = { content: compiled.content, coverMediaId: undefined, imageMediaIds: [] };
    const pictures = { ...placed, coverSize: undefined, crops: undefined };
    return JSON.stringify(toPlatformArticle(compiled, pictures, true));
  }

  test.each(HALVES)("has no escape for %j, wherever it stands", async (half) => {
    const cut = `a${half}b 🦩`;
    for (const format of ["markdown", "html"] as const) {
      const text = `${cut}\n\n<p title="${cut}">${cut}</p>\n\n\`${cut}\` [${cut}](https://x.example/${cut})`;
      const lines = { title: cut, author: cut, digest: cut, product_key: cut };
      const source_url = `https://x.example/${cut}`;
      const body = await sent({ type, ...lines, source_url, source: { format, text } });
      expect(body).not.toContain("\\u");
      expect(JSON.parse(body)).toMatchObject({ title: "ab 🦩", author: "ab 🦩", digest: "ab 🦩" });
    }
    const plain = { type, title: "t", source: { format: "markdown", text: "words" } } as const;
    expect(await sent(plain, cut)).not.toContain("\\u");
  });

  test("has whole characters where a long label of a link is shortened", async () => {
    for (let before = 0; before < 2; before++) {
      const label = "a".repeat(before) + "🦩".repeat(300);
      const text = `[${label}](https://x.example/)`;
      const source = { format: "markdown", text } as const;
      expect(await sent({ type, title: "t", source })).not.toContain("\\u");
    }
  });
});

test("what is kept of a draft is what was written", async () => {
  const house = new DraftHouse(drafts.store);
  const draftService = house.start();
  const { id } = await draftService.create(house.accountId, {
    articles: [article("a\ud83e")],
    by: "me",
  });
  expect((await draftService.find(house.accountId, id)).articles[0]?.title).toBe("a\ud83e");
});
