import type { Locator, Page } from "playwright-core";
import type { Fixtures } from "../../../web/fixtures/fixture.ts";
import type { Catalogue } from "../../../web/i18n/catalogue.ts";
import type { Look } from "../chromium.ts";

/** A state of a page that pictures are taken of and checks run over. */
export interface Scene {
  readonly name: string;
  /** Below `/console`, unless it is a page of the platform. */
  readonly path: string;
  /** What to do before the picture. */
  readonly act?: (page: Page) => Promise<void>;
  /** What must be readable then, in the words of the language or as the fixtures have it. */
  readonly says: (words: Catalogue, look: Look) => readonly string[];
  readonly fixtures?: Fixtures;
  /** Only some looks, where all of them would show the same. */
  readonly looks?: (look: Look) => boolean;
  /** Left out of the album in docs, where another picture shows nearly the same. */
  readonly aside?: boolean;
}

export async function dialogOf(page: Page): Promise<void> {
  await page.getByRole("dialog").waitFor();
}

/** The fields of the dialog that is open. */
export function formOf(page: Page): Locator {
  return page.getByRole("dialog").locator("form");
}

/** Presses the main button of the panel that is open. */
export async function submitDialog(page: Page): Promise<void> {
  await page.getByRole("dialog").locator("button[type=submit]").click();
}
