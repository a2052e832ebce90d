import { describe, expect, test } from "bun:test";
import { fingerprintOf, markOf, matches } from "./fingerprint.ts";

const sent = {
  article_type: "news",
  title: "Tom & Jerry",
  digest: "d",
  content: '<p style="color:#FA5151">hello <a href="https://x.test">world</a></p>',
  thumb_media_id: "t",
} as const;

describe("what a draft is known by", () => {
  test("survives what the platform does to it", () => {
    const stored = {
      ...sent,
      title: "Tom &amp; Jerry",
      content:
        '<p style="color: rgb(250, 81, 81);"><span leaf="">hello\u00a0world</span></p>' +
        '<p style="display: none;"><mp-style-type data-value="3"></mp-style-type></p>',
    };
    expect(matches(markOf([sent]), [stored])).toBe(true);
    const { digest: _none, ...without } = sent;
    expect(matches(markOf([without]), [{ ...stored, digest: "hello world" }])).toBe(true);
  });

  test.each([
    ["title", { title: "Tom" }],
    ["digest", { digest: "e" }],
    ["cover", { thumb_media_id: "u" }],
    ["text", { content: "<p>hello there</p>" }],
  ])("is another one with another %s", (_what, change) => {
    const other = { ...sent, ...change };
    expect(matches(markOf([sent]), [other])).toBe(false);
    expect(fingerprintOf(markOf([sent]))).not.toBe(fingerprintOf(markOf([other])));
  });

  test("counts the articles, and the pictures of an image message", () => {
    expect(matches(markOf([sent]), [sent, sent])).toBe(false);
    const picture = (id: string) => ({
      article_type: "newspic" as const,
      title: "p",
      content: "x",
      image_info: { image_list: [{ image_media_id: id }] },
    });
    expect(matches(markOf([picture("1")]), [picture("1")])).toBe(true);
    expect(matches(markOf([picture("1")]), [picture("2")])).toBe(false);
  });
});
