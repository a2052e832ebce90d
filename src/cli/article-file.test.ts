import { describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { failureOf } from "../../test/store/samples.ts";
import { perFile } from "../../test/support/house.ts";
import { readConfig } from "../config.ts";
import { UsageError } from "./arguments.ts";
import { readArticleFile } from "./article-file.ts";

/** One pixel. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const DATA = `data:image/png;base64,${PNG.toString("base64")}`;
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
    expect((await read("out.md", "![a](../outside.png)", true)).markdown).toBe(`![a](${DATA})`);
  });

  test("has a name that says what it is, and is there", async () => {
    expect((await failureOf(read("a.docx", "x"))).message).toMatch(/\.md/);
    const none = readArticleFile(join(folder, "none.md"), { limits, allowOutside: false });
    expect((await failureOf(none)).message).toMatch(/no file/);
  });
});
