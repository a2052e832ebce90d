// How the three sizes of content that the document names are read, at their edges.
import { describe, expect, test } from "bun:test";
import { perSuite } from "../../../test/support/houses/house.ts";
import { platformHouse } from "../../../test/support/houses/platform-house.ts";
import { ADD, articleWith, expectRefusal } from "../../../test/support/samples/platform-vectors.ts";

const MIB = 1_048_576;
const LIVE_BYTES = 680 * 1024;
const ESCAPED = "\\u4e00";

describe.each(["doc", "live", "lenient"] as const)("the size of content, as %s", (profile) => {
  const house = perSuite((parts) => platformHouse(parts, { profile }));
  const isDoc = profile === "doc";
  const bytesMax = profile === "live" ? LIVE_BYTES : MIB;

  /** `json` stands between the quotes as it is. */
  const post = (json: string, members = "") =>
    house.post(ADD, articleWith(`,"content":"${json}"${members}`));
  const expectStored = async (json: string, members?: string) =>
    expect((await post(json, members)).body.media_id).toBeString();
  const expectTooLong = async (json: string, members?: string) =>
    expectRefusal(await post(json, members), 45002, "content size out of limit");

  /** So many bytes, next to none of which are text. */
  const markup = (bytes: number) => `<p id='${"a".repeat(bytes - 14)}'>x</p>`.padEnd(bytes, " ");

  test("2 KB is no limit", async () => {
    for (const bytes of [2_047, 2_048, 2_049, 20_000]) await expectStored("a".repeat(bytes));
  });

  test("20,000 characters are code points of the text, and all of them are taken", async () => {
    for (const char of ["a", "字", "𠮷"]) {
      await expectStored(char.repeat(20_000));
      await (isDoc ? expectTooLong : expectStored)(char.repeat(20_001));
    }
  });

  test("tags, attributes and folded white space are no characters, an entity is one", async () => {
    const text = "字".repeat(19_999);
    const folded = " ".repeat(500);
    await expectStored(`<p style='color:red' title='${"t".repeat(500)}'>${text}</p>`);
    await expectStored(`<p>${text.slice(1)}${folded}x</p>`);
    await expectStored(`<p>${text}&amp;</p>`);
    await (isDoc ? expectTooLong : expectStored)(`<p>${text}&amp;&amp;</p>`);
    await (isDoc ? expectTooLong : expectStored)(`<p>${text}${folded}x</p>`);
  });

  test("characters are counted before the filter, but not those of scripts and styles", async () => {
    const text = "字".repeat(19_999);
    await expectStored(`${text}<script>${"s".repeat(99)}</script><style>${"s".repeat(99)}</style>`);
    // A button is taken out of an article with its words.
    await (isDoc ? expectTooLong : expectStored)(`${text}<button>no</button>`);
  });

  test("an image message is counted alike, or has a limit of its own, live", async () => {
    const images =
      ',"article_type":"newspic","image_info":{"image_list":[{"image_media_id":"IMAGE_0"}]}';
    const most = profile === "live" ? 1_000 : 20_000;
    await expectStored("𠮷".repeat(most), images);
    const refusals = { doc: 45002, live: 45166, lenient: undefined };
    const { errcode } = (await post("𠮷".repeat(most + 1), images)).body;
    expect(errcode).toBe(refusals[profile]);
  });

  test("1 MB is bytes of UTF-8, tags and all, and the last of them is taken", async () => {
    await expectStored(markup(bytesMax));
    await expectTooLong(markup(bytesMax + 1));
    const wide = (count: number) => `<p title='${"字".repeat(count)}'>x</p>`;
    const most = Math.floor((bytesMax - Buffer.byteLength(wide(0))) / 3);
    await expectStored(wide(most));
    await expectTooLong(wide(most + 1));
  });

  test("bytes are counted before the filter takes any away", async () => {
    const script = (bytes: number) => `x<script>${"s".repeat(bytes - 18)}</script>`;
    expect(script(100)).toHaveLength(100);
    await expectStored(script(bytesMax));
    await expectTooLong(script(bytesMax + 1));
  });

  test("an escape is what it stands for, but for live, where it is its six characters", async () => {
    const escapes = Math.floor(bytesMax / ESCAPED.length);
    const content = `<p title='${ESCAPED.repeat(escapes)}'>x</p>`;
    await (profile === "live" ? expectTooLong : expectStored)(content);
  });
});
