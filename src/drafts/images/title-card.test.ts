import { describe, expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { createCanvas, loadImage } from "@napi-rs/canvas";
import { drawTitleCard } from "./title-card.ts";

const THEMES = ["calm", "letterpress", "engineer", "magazine", "ink"];
const TITLE = "人工智能如何改变我们的生活方式";

async function pixels(bytes: Uint8Array): Promise<Uint8ClampedArray> {
  const canvas = createCanvas(900, 383);
  const pen = canvas.getContext("2d");
  pen.drawImage(await loadImage(bytes), 0, 0);
  return pen.getImageData(0, 0, 900, 383).data;
}

const empty = new Map<string | undefined, Promise<Uint8ClampedArray>>();
/** What a card of the theme is without words. */
function emptyOf(theme: string | undefined): Promise<Uint8ClampedArray> {
  const drawn =
    empty.get(theme) ?? drawTitleCard({ title: "", theme }).then(({ bytes }) => pixels(bytes));
  empty.set(theme, drawn);
  return drawn;
}

/** The columns and rows between which two cards differ: where their words are. */
async function wordsOf(card: Parameters<typeof drawTitleCard>[0]) {
  const [written, unwritten] = await Promise.all([
    drawTitleCard(card).then(({ bytes }) => pixels(bytes)),
    emptyOf(card.theme),
  ]);
  const box = { left: 900, right: -1, top: 383, bottom: -1, inked: 0 };
  for (let at = 0; at < written.length; at += 4) {
    if (Math.abs((written[at] ?? 0) - (unwritten[at] ?? 0)) < 24) continue;
    const [x, y] = [(at / 4) % 900, Math.floor(at / 4 / 900)];
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x);
    box.top = Math.min(box.top, y);
    box.bottom = Math.max(box.bottom, y);
    box.inked += 1;
  }
  return box;
}

describe("a title card", () => {
  test.each(THEMES)("has the shape of a cover in the theme %s", async (theme) => {
    const file = await drawTitleCard({ title: TITLE, author: "林小满", theme });
    expect(file).toMatchObject({
      name: "title-card.png",
      contentType: "image/png",
      width: 900,
      height: 383,
    });
    expect(await new Bun.Image(file.bytes).metadata()).toMatchObject({ width: 900, height: 383 });
    expect(file.bytes.length).toBeLessThan(1_048_576);
  });

  test("looks different in each theme, and like the default in one that is unknown", async () => {
    const made = await Promise.all(THEMES.map((theme) => drawTitleCard({ title: TITLE, theme })));
    expect(new Set(made.map(({ sha256 }) => sha256)).size).toBe(THEMES.length);
    const unknown = await drawTitleCard({ title: TITLE, theme: "no such theme" });
    expect(unknown.sha256).toBe(made[0]?.sha256 ?? "");
  });

  test.each([
    ["a sentence", TITLE],
    ["two letters", "周报"],
    ["English", "How we built a prepaid gateway for language models 🚀"],
    ["the longest allowed", "三十二个汉字的标题应该怎样排版才能在方形封面里仍然好看又清楚呢朋友"],
    ["one long word", "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamte"],
    ["far too much", "很长的标题".repeat(400)],
  ])("keeps its words inside the square in the middle: %s", async (_what, title) => {
    const box = await wordsOf({
      title,
      author: "一位名字非常非常长的作者以及他的许多朋友们一起",
      theme: "ink",
    });
    expect(box.inked).toBeGreaterThan(500);
    expect(box.left).toBeGreaterThanOrEqual(259);
    expect(box.right).toBeLessThanOrEqual(641);
    expect(box.top).toBeGreaterThanOrEqual(16);
    expect(box.bottom).toBeLessThanOrEqual(366);
  });

  test("draws Chinese letters and not the same box for each", async () => {
    const [one, other] = await Promise.all([
      drawTitleCard({ title: "永" }),
      drawTitleCard({ title: "龙" }),
    ]);
    expect(one.sha256).not.toBe(other.sha256);
  });

  test.each(["", "🎉🎉🎉", "\u0000\u200b", "  "])(
    "is drawn without words for %p",
    async (title) => {
      expect((await drawTitleCard({ title })).width).toBe(900);
    },
  );

  test("is the same from every folder", async () => {
    const script = `
      const { drawTitleCard } = await import(${JSON.stringify(import.meta.resolve("./title-card.ts"))});
      process.stdout.write((await drawTitleCard({ title: "永" })).sha256);
    `;
    const child = Bun.spawn([process.execPath, "-e", script], { cwd: tmpdir(), stderr: "pipe" });
    const here = await drawTitleCard({ title: "永" });
    expect(await new Response(child.stdout).text()).toBe(here.sha256);
  });
});
