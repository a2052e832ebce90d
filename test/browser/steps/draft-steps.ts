// What somebody does with a draft in the console.
import { expect } from "bun:test";
import { deflateSync } from "node:zlib";
import type { FrameLocator, Locator, Page } from "playwright-core";
import { comesTrue } from "../../support/waiting.ts";
import { go, see, type Walker } from "./walker.ts";

/** A picture of 800 by 600 in one colour, written by hand: nothing of it is the server's work. */
export function plainPng(): Buffer {
  const [width, height] = [800, 600];
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const framed = Buffer.alloc(body.length + 8);
    framed.writeUInt32BE(data.length);
    body.copy(framed, 4);
    framed.writeUInt32BE(Bun.hash.crc32(body), body.length + 4);
    return framed;
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const line = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, 0x6a)]);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => line)));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const none = Buffer.alloc(0);
  return Buffer.concat([
    signature,
    chunk("IHDR", head),
    chunk("IDAT", pixels),
    chunk("IEND", none),
  ]);
}

export async function makeDraft(walker: Walker): Promise<void> {
  const { page, words } = walker;
  const { drafts } = words;
  await go(walker, words.nav.drafts);
  await page.getByText(drafts.emptyTitle).waitFor();
  await page.getByRole("button", { name: drafts.new, exact: true }).first().click();
  await see(walker, drafts.untitled);
}

/** There is no key to paste, and the model's call is told with its cost. */
export async function writeWithModel({ page, words }: Walker): Promise<void> {
  const { drafts, playground } = words;
  await page.getByRole("button", { name: drafts.write, exact: true }).click();
  const dialog = page.getByRole("dialog", { name: drafts.writeTitle });
  await dialog.getByLabel(drafts.brief).fill("Prepaid billing for shop owners");
  await dialog.getByLabel(playground.model).selectOption("sandbox-1.0");
  await dialog.getByRole("button", { name: drafts.writeAction }).click();
  // Before the dialog is looked for: a message goes by itself.
  await page.getByText(drafts.written.split("{cost}")[0] ?? "").waitFor();
  await dialog.waitFor({ state: "detached" });
  await filledIn(page.getByLabel(drafts.heading, { exact: true }));
  await filledIn(page.getByLabel(drafts.text, { exact: true }));
}

/** What stands in the field, once something does. */
export async function filledIn(field: Locator): Promise<string> {
  await comesTrue(async () => expect(await field.inputValue()).not.toBe(""));
  return field.inputValue();
}

async function saved({ page, words }: Walker): Promise<void> {
  await page.getByRole("status").filter({ hasText: words.drafts.save_saved }).waitFor();
}

/** The page in the phone; what is in the frame is out of reach of the console's scripts. */
async function phone(walker: Walker): Promise<FrameLocator> {
  const { page, look, words } = walker;
  if (look.width === "phone") {
    await page.getByRole("button", { name: words.drafts.viewPreview, exact: true }).click();
  }
  const frame = page.locator("iframe").last();
  await comesTrue(async () => expect(await frame.getAttribute("sandbox")).toBe(""));
  return frame.contentFrame();
}

async function backToWriting({ page, look, words }: Walker): Promise<void> {
  if (look.width === "desktop") return;
  await page.getByRole("button", { name: words.drafts.viewWrite, exact: true }).click();
}

export async function editTitle(walker: Walker): Promise<string> {
  const { page, words, look } = walker;
  const title = look.language === "zh" ? "预付费，心中有数" : "Paid before, known before";
  await page.getByLabel(words.drafts.heading, { exact: true }).fill(title);
  await see(walker, title);
  await saved(walker);
  const frame = await phone(walker);
  await frame.getByRole("heading", { level: 1, name: title }).waitFor();
  await backToWriting(walker);
  return title;
}

/** Another theme shows in the phone without anything being pressed. */
export async function switchTheme(walker: Walker): Promise<void> {
  const { page, look } = walker;
  const before = await (await phone(walker)).locator("section").first().getAttribute("style");
  const name = look.language === "zh" ? "书卷" : "Letterpress";
  await page.getByRole("radio", { name }).check({ force: true });
  await saved(walker);
  const section = (await phone(walker)).locator("section").first();
  // The page of before stays until the other one has come.
  await comesTrue(async () => expect(await section.getAttribute("style")).not.toBe(before));
  await page.locator("iframe").nth(1).waitFor({ state: "detached" });
  await backToWriting(walker);
}

/** Files that are chosen from now on are read when it is told to. */
export async function holdFiles(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(`(() => {
    const { readAsDataURL } = FileReader.prototype;
    const held = Promise.withResolvers();
    window.readOnByTest = held.resolve;
    FileReader.prototype.readAsDataURL = function (file) {
      held.promise.then(() => readAsDataURL.call(this, file));
    };
  })()`);
  return () => page.evaluate<void>("window.readOnByTest()");
}

/** With the keys alone, as somebody without a pointer does it. */
export async function cropCover(walker: Walker): Promise<void> {
  const { page, words } = walker;
  const { drafts } = words;
  const file = { name: "cover.png", mimeType: "image/png", buffer: plainPng() };
  const readOn = await holdFiles(page);
  await page.locator(`input[type=file][aria-label="${drafts.coverUpload}"]`).setInputFiles(file);
  // Whoever writes on while the picture is being read keeps what they wrote.
  const author = page.getByLabel(drafts.author, { exact: true });
  await author.fill("Ada");
  await readOn();
  await page.getByRole("button", { name: drafts.coverCrop, exact: true }).waitFor();
  expect(await author.inputValue()).toBe("Ada");
  await page.getByRole("button", { name: drafts.coverCrop, exact: true }).click();
  const dialog = page.getByRole("dialog", { name: drafts.cropTitle });
  const frame = dialog.getByRole("slider", { name: /1 : 1/ }).first();
  const before = await frame.getAttribute("aria-valuetext");
  // Each at the frame itself: the dialog may still be on its way to what it gives the focus to.
  for (const key of ["-", "-", "ArrowRight", "Shift+ArrowDown"]) await frame.press(key);
  await comesTrue(async () => expect(await frame.getAttribute("aria-valuetext")).not.toBe(before));
  await dialog.getByRole("button", { name: words.words.save, exact: true }).click();
  await dialog.waitFor({ state: "detached" });
  await saved(walker);
}

/** Clicked twice before the page can be drawn anew, which sends it once. */
export async function pushDraft({ page, words }: Walker): Promise<string> {
  const { drafts } = words;
  await page.getByText(drafts.checksGood).waitFor();
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/push")) sent.push(request.url());
  });
  await page.getByRole("button", { name: drafts.push, exact: true }).evaluate((button) => {
    const { click } = button as unknown as { click(this: unknown): void };
    for (const _time of [1, 2]) click.call(button);
  });
  const dialog = page.getByRole("dialog", { name: drafts.pushTitle });
  await dialog.getByText(drafts.pushDoneSandbox).waitFor();
  const mediaId = (await dialog.locator("dd code").first().textContent()) ?? "";
  await dialog.getByRole("button", { name: words.words.done, exact: true }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByText(mediaId).waitFor();
  expect(sent).toHaveLength(1);
  return mediaId;
}

export async function seeVersions({ page, words }: Walker): Promise<void> {
  const { drafts } = words;
  await page.getByRole("button", { name: drafts.history, exact: true }).click();
  const drawer = page.getByRole("dialog", { name: drafts.history });
  await drawer.getByText(drafts.inBox, { exact: true }).waitFor();
  await drawer.getByRole("tab", { name: drafts.pushes }).click();
  await drawer.getByText(drafts.state_done, { exact: true }).waitFor();
  await drawer.getByRole("button", { name: words.words.close }).click();
  await drawer.waitFor({ state: "detached" });
}

/** In our list, and in the box itself as the platform tells it. */
export async function seeInBox(walker: Walker, title: string): Promise<void> {
  const { page, words } = walker;
  const { drafts } = words;
  await go(walker, words.nav.drafts);
  const row = page.getByRole("row").filter({ hasText: title });
  await row.getByText(drafts.status_in_box, { exact: true }).waitFor();
  await page.getByRole("button", { name: drafts.import, exact: true }).click();
  const dialog = page.getByRole("dialog", { name: drafts.importTitle });
  await dialog.getByText(title, { exact: true }).waitFor();
  await dialog.getByRole("button", { name: drafts.importOpen, exact: true }).click();
  await see(walker, title);
}
