import { describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { failureOf } from "../../../test/store/samples.ts";
import { perFile } from "../../../test/support/houses/house.ts";
import { animatedGif } from "../../../test/support/samples/pictures.ts";
import { readConfig } from "../../config/config.ts";
import { UsageError } from "../terminal/arguments.ts";
import { readArticleFile } from "./article-file.ts";

/** One pixel. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const DATA = `data:image/png;name=pics%2Fa%20b.png;base64,${PNG.toString("base64")}`;
const { limits } = readConfig({});

const root = await perFile((parts) => parts.folder());
const folder = join(root, "posts");
mkdirSync(join(folder, "pics"), { recursive: true });
writeFileSync(join(folder, "pics", "a b.png"), PNG);
writeFileSync(join(root, "outside.png"), PNG);
writeFileSync(join(folder, "no-picture.png"), "hello");
symlinkSync(join(root, "outside.png"), join(folder, "link.png"));

function read(name: string, text: string, allowOutside = false) {
  const path = join(folder, name);
  writeFileSync(path, text);
  return readArticleFile(path, { limits, allowOutside });
}

describe("a file of an article", () => {
  test("brings its pictures, wherever they stand in it", async () => {
    const text = [
      "---",
      "cover: pics/a%20b.png",
      "image_list: [pics/a b.png, 'https://x.example/b.png']",
      "---",
      "![one](<pics/a b.png>) ![two](pics/a%20b.png 'title')",
      "<img alt='' src='pics/a b.png'> ![far](https://x.example/c.png)",
    ].join("\n");
    const file = await read("a.md", text);
    expect(file.cover).toBe(DATA);
    expect(file.images).toEqual([DATA, "https://x.example/b.png"]);
    const body = file.markdown?.split("---\n").at(-1);
    expect(body).toBe(
      `![one](${DATA}) ![two](${DATA} 'title')\n<img alt='' src='${DATA}'> ![far](https://x.example/c.png)`,
    );
  });

  test("names a picture by the end of a long path", async () => {
    const deep = "猫".repeat(40);
    mkdirSync(join(folder, deep));
    writeFileSync(join(folder, deep, "(1).png"), PNG);
    const { html = "" } = await read("deep.html", `<img src="${deep}/(1).png">`);
    const name = /;name=([^;]*);/.exec(html)?.[1] ?? "";
    expect(decodeURIComponent(name)).toBe(`${"猫".repeat(21)}/_1_.png`);
  });

  test("brings what moves so that it moves", async () => {
    const small = animatedGif(60, 40);
    const frame = small.subarray(small.indexOf(Buffer.from([0x21, 0xf9])), -1);
    const frames = Array<Buffer>(Math.ceil((2 * 1024 * 1024) / frame.length)).fill(frame);
    const gif = Buffer.concat([small.subarray(0, -1), ...frames, small.subarray(-1)]);
    writeFileSync(join(folder, "cat.gif"), gif);
    const { markdown = "" } = await read("cat.md", "![cat](cat.gif)");
    expect(markdown).toBe(`![cat](data:image/gif;name=cat.gif;base64,${gif.toString("base64")})`);
  });

  test("keeps code as it is", async () => {
    const text = "`![a](none.png)`\n\n```md\n![b](none.png)\n```\n";
    expect((await read("code.md", text)).markdown).toBe(text);
  });

  test("may be HTML", async () => {
    const file = await read("a.html", '<p><img class="x" src="pics/a b.png"></p>');
    expect(file).toEqual({ html: `<p><img class="x" src="${DATA}"></p>` });
  });

  test.each([
    ["is not there", "![a](pics/none.png)", /not there/],
    ["is no picture", "![a](no-picture.png)", /no-picture\.png/],
    ["lies outside of its folder", "![a](../outside.png)", /--allow-outside/],
    ["only seems to lie inside", "![a](link.png)", /--allow-outside/],
    ["is written as a file: address", "![a](file:///a.png)", /as a path/],
  ])("is refused for a picture that %s", async (_, text, words) => {
    const thrown = await read("bad.md", text).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(UsageError);
    expect((thrown as Error).message).toMatch(words);
  });

  test("sends pictures of other folders when told to", async () => {
    const { markdown } = await read("out.md", "![a](../outside.png)", true);
    expect(markdown).toBe(`![a](${DATA.replace("pics%2Fa%20b.png", "..%2Foutside.png")})`);
  });

  test("has a name that says what it is, and is there", async () => {
    expect((await failureOf(read("a.docx", "x"))).message).toMatch(/\.md/);
    const none = readArticleFile(join(folder, "none.md"), { limits, allowOutside: false });
    expect((await failureOf(none)).message).toMatch(/no file/);
  });
});
