import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { isFull } from "../../../test/support/counts.ts";
import { readConfig } from "../../config/config.ts";
import type { Fault } from "../../lib/faults.ts";
import type { ArticleDoc } from "../contract/article.ts";
import { placeImages, renderArticle, renderPlain } from "../render/render-article.ts";
import { articleRenderer, type Imprint } from "./article-renderer.ts";
import { openRenderPool, type RenderPool } from "./render-pool.ts";

const IMPRINT: Imprint = {
  publicAccountId: "pub_1",
  kind: "built-in",
  author: "Ada",
  theme: null,
  places: ["https://platform.example"],
};

/** For a machine that has much else to do. */
const WAITING = { FAREGATE_DRAFT_RENDER_MS: "600000" };

const open: RenderPool[] = [];

function renderPool(settings: Record<string, string>) {
  const threaded = openRenderPool(readConfig(settings).limits);
  open.push(threaded);
  return threaded;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

function sample(name: string): ArticleDoc {
  const text = readFileSync(new URL(`../render/samples/${name}`, import.meta.url), "utf8");
  return { type: "news", title: name, source: { format: "markdown", text } };
}

const DOCS: readonly ArticleDoc[] = [
  sample("chinese.md"),
  { ...sample("english.md"), theme: "ink" },
  { type: "newspic", title: "n", source: { format: "html", text: "<p>a</p><b>c</b>" } },
];

/** Little of it, for what is not about the words. */
const FEW = DOCS.slice(2);

const OF_EVERYTHING =
  "# a\n\n**b** $x^2$ [c](https://a.example/)\n\n```js\nconst d = 1;\n```\n\n- e\n  - f\n\n" +
  "![g](https://a.example/1.png)\n\n| h | i |\n|-|-|\n| 1 | 2 |\n\n<script>j</script>\n";

/** Those whose outcome is compared: the samples where there is time. */
const COMPARED: readonly ArticleDoc[] = isFull
  ? DOCS
  : [
      { type: "news", title: "t", source: { format: "markdown", text: OF_EVERYTHING } },
      { type: "news", title: "", source: { format: "markdown", text: "k" }, theme: "ink" },
      ...FEW,
    ];

describe("a render pool", () => {
  // Its thread has loaded what it needs after the first article.
  const usual = openRenderPool(readConfig(WAITING).limits);
  afterAll(() => usual.close());

  test("gives what a renderer in the calling thread gives", async () => {
    const here = articleRenderer({ render: renderArticle, renderPlain, placeImages });
    const there = usual.rendererFor("acc_1");
    const judged = await here.judge(COMPARED, IMPRINT);
    expect(await there.judge(COMPARED, IMPRINT)).toEqual(judged);
    expect(await there.preview(COMPARED, IMPRINT)).toEqual(await here.preview(COMPARED, IMPRINT));
    const html = '<p><img src="a.png" alt=""></p>';
    const places = new Map([["a.png", "https://platform.example/b.png"]]);
    expect(await there.placeImages(html, places)).toContain("https://platform.example/b.png");
    const sent = [{ title: "t", content: "<p>words</p>", thumb_media_id: "m" }];
    const mark = await there.mark(sent);
    expect(mark).toEqual(await here.mark(sent));
    const items = [
      { mediaId: "same", articles: sent, updatedAtMs: 0 },
      { mediaId: "other", articles: [{ ...sent[0], title: "u", content: "" }], updatedAtMs: 0 },
    ];
    expect(await there.matching(mark, items)).toEqual(["same"]);
  });

  test("gives up what takes too long, and says what would be simpler", async () => {
    const slow = renderPool({ FAREGATE_DRAFT_RENDER_MS: "1" }).rendererFor("acc_1");
    const fault = await slow.preview(DOCS, IMPRINT).catch((thrown: Fault) => thrown);
    expect(fault).toMatchObject({ fault: "render_too_slow", status: 400, param: "articles" });
    expect((fault as Fault).message).toContain("1 ms");
    expect((fault as Fault).message).toContain("Make them simpler");
  });

  test("refuses an account what it cannot take, and serves the next one", async () => {
    const { rendererFor } = renderPool({ ...WAITING, FAREGATE_DRAFT_RENDERS_PER_ACCOUNT_MAX: "1" });
    const first = rendererFor("acc_1").judge(FEW, IMPRINT);
    const fault = await rendererFor("acc_1")
      .judge(FEW, IMPRINT)
      .catch((thrown: Fault) => thrown);
    expect(fault).toMatchObject({ fault: "rate_limit_exceeded", status: 429 });
    expect((fault as Fault).headers).toMatchObject({
      "retry-after": "2",
      "retry-after-ms": "2000",
    });
    expect((await rendererFor("acc_2").judge(FEW, IMPRINT)).articles).toHaveLength(1);
    expect((await first).articles).toHaveLength(1);
  });

  test("leaves the loop to others while it works", async () => {
    const { rendererFor } = usual;
    let turns = 0;
    let isDone = false;
    const work = rendererFor("acc_1")
      .judge(DOCS, IMPRINT)
      .then(() => {
        isDone = true;
      });
    while (!isDone) {
      await new Promise((resolve) => setImmediate(resolve));
      turns += 1;
    }
    await work;
    // Were it done here, the loop would turn a few times, once for each formula.
    expect(turns).toBeGreaterThan(200);
  });
});
