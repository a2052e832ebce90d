// A real Chromium out of node_modules, for tests and screenshots. Nothing of the system is used: its
// libraries, its fonts and its browser may be missing.
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContext, BrowserServer, LaunchOptions, Page } from "playwright-core";
import { FIXTURE_NOW } from "../../web/fixtures/fixture.ts";
import { DISK_VARIABLE } from "../runner/folder.ts";
import { borrowed } from "../runner/lent.ts";
import { isFull } from "../support/counts.ts";

type Theme = "light" | "dark";
type Language = "en" | "zh";
type Width = "desktop" | "phone";

export interface Look {
  readonly theme: Theme;
  readonly language: Language;
  readonly width: Width;
}

const SIZES = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
} as const;

const LOCALES = { en: "en-US", zh: "zh-CN" } as const;

/** Every combination in which a page must look right. */
export const LOOKS: readonly Look[] = (["desktop", "phone"] as const).flatMap((width) =>
  (["en", "zh"] as const).flatMap((language) =>
    (["light", "dark"] as const).map((theme) => ({ theme, language, width })),
  ),
);

/** Between them these two have both themes, both languages and both widths. */
export const ENGLISH: Look = { theme: "light", language: "en", width: "desktop" };
export const CHINESE: Look = { theme: "dark", language: "zh", width: "phone" };

/** Every combination where a suite may take minutes; otherwise the one that it names. */
export function looksOr(look: Look): readonly Look[] {
  return isFull ? LOOKS : [look];
}

/** Where the browser is unpacked, once for all runs of one user: it takes seconds and 200 MB. */
function browserHome(): string {
  const user = process.getuid?.() ?? 0;
  return join(process.env[DISK_VARIABLE] ?? tmpdir(), `faregate-chromium-${user}`);
}

/**
 * Unpacks into a folder of its own and moves it into place, because the package unpacks without a
 * lock and two that start together would break each other's files.
 */
async function unpack(): Promise<string> {
  const home = browserHome();
  // Makes the package bring the libraries that a bare system lacks; it looks only when it is loaded.
  process.env.AWS_EXECUTION_ENV ??= "AWS_Lambda_nodejs22.x";
  if (!existsSync(join(home, "chromium"))) {
    const fresh = mkdtempSync(`${home}-`);
    await unpackInto(fresh);
    try {
      renameSync(fresh, home);
    } catch {
      // Another one was faster; its browser is as good.
      rmSync(fresh, { recursive: true, force: true });
    }
  }
  return home;
}

const UNPACKING = 'import chromium from "@sparticuz/chromium"; await chromium.executablePath();';

/** In a process of its own: the package unpacks to where temporary files go, and so would all that starts meanwhile. */
async function unpackInto(folder: string): Promise<void> {
  const child = Bun.spawn([process.execPath, "-e", UNPACKING], {
    cwd: import.meta.dir,
    env: { ...process.env, TMPDIR: folder },
    stdout: "ignore",
    stderr: "pipe",
  });
  const said = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new Error(`the browser could not be unpacked: ${said}`);
}

/** Tells the browser where its letters are, the Chinese ones among them. */
function writeFonts(home: string): Record<string, string> {
  const packageFile = fileURLToPath(import.meta.resolve("@embedpdf/fonts-sc"));
  const chinese = join(dirname(dirname(packageFile)), "fonts");
  const folder = join(home, "fontconfig");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "fonts.conf");
  const config = `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(home, "fonts")}</dir>
  <dir>${chinese}</dir>
  <cachedir>${join(folder, "cache")}</cachedir>
</fontconfig>`;
  writeFileSync(path, config);
  return { FONTCONFIG_FILE: path, FONTCONFIG_PATH: folder };
}

/**
 * Not the flags that the package brings, which are for a function in a cloud: they draw with an emulated
 * graphics card and start every page's process from nothing, three times the work. Site isolation and
 * CORS stay on: a test that passes without them proves nothing.
 */
const FLAGS = [
  ...["--no-sandbox", "--disable-gpu", "--font-render-hinting=none", "--no-pings"],
  // In a short run no script of ours lives long enough to earn what it takes to optimize it: a tenth of the browser's time.
  ...(isFull ? [] : ["--js-flags=--no-opt,--no-maglev"]),
];

async function launchOptions(): Promise<LaunchOptions> {
  const home = await unpack();
  return {
    executablePath: join(home, "chromium"),
    args: FLAGS,
    headless: true,
    env: {
      ...process.env,
      ...writeFonts(home),
      LD_LIBRARY_PATH: [join(home, "al2023", "lib"), join(home, "lib")].join(":"),
    },
  };
}

/** A browser that other processes connect to. */
export async function serveChromium(): Promise<BrowserServer> {
  const { chromium } = await import("playwright-core");
  return chromium.launchServer(await launchOptions());
}

/** The browser of the run, or one of its own for a suite that runs by itself. */
export async function launchChromium(): Promise<Browser> {
  const { chromium } = await import("playwright-core");
  const address = await borrowed("chromium");
  return address === undefined ? chromium.launch(await launchOptions()) : chromium.connect(address);
}

/** For a machine that has much else to do; what comes near it will not come. */
const TIMEOUT_MS = 180_000;

/** A browser window of one theme, language and width, at the time of the fixtures unless told. */
export async function openPage(
  browser: Browser,
  look: Look,
  at: string | null = FIXTURE_NOW,
): Promise<{ readonly page: Page; readonly context: BrowserContext }> {
  const context = await browser.newContext({
    viewport: SIZES[look.width],
    colorScheme: look.theme,
    locale: LOCALES[look.language],
    timezoneId: "Europe/Berlin",
    reducedMotion: "reduce",
    hasTouch: look.width === "phone",
  });
  context.setDefaultTimeout(TIMEOUT_MS);
  const page = await context.newPage();
  if (at !== null) await page.clock.setFixedTime(new Date(at));
  return { page, context };
}

export function nameOf({ theme, language, width }: Look): string {
  return `${width}-${language}-${theme}`;
}
