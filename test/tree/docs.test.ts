import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { Glob } from "bun";
import { generatedPages } from "../../dev/docs/pages.ts";
import { RULE_NAMES } from "../../src/catalogue/read-model.ts";

const projectDir = join(import.meta.dir, "..", "..");

/** Where the links and pictures of a page lead, if they are files of the project. */
function targetsOf(path: string, text: string): string[] {
  const links = text.matchAll(/\]\((?!https?:|#)([^)#\s]+)|^\[[^\]]+\]: (?!https?:)(\S+)$/gm);
  return [...links].map(([, inline, named]) => join(dirname(path), inline ?? named ?? ""));
}

/** The text of a page, the space that aligns its tables folded. */
const page = async (name: string) => {
  const text = await Bun.file(join(projectDir, "docs", name)).text();
  return text.replace(/ +/g, " ");
};

const found = (pattern: string) => [...new Glob(pattern).scanSync(projectDir)];
const pages = ["*.md", "docs/**/*.md", "bench/*.md", "changes/*.md"].flatMap(found);
const code = found("{bench,bin,dev,src,test,web}/**/*");

/** Files that a page speaks of, be it from a room on: `ledger/books.ts`, `test/browser/scenes/*-scenes.ts`. */
function filesIn(text: string): string[] {
  return [...text.matchAll(/`(?:\.\/)?((?:[\w.*-]+\/)+[\w.*-]+\.tsx?)`/g)].map(
    ([, name = ""]) => name,
  );
}

/** What the tests of a page's commands are found by. */
function suitesIn(text: string): string[] {
  const commands = text.matchAll(/(?:npm test --(?: --watch)?|bun test) (?:\.\/)?([a-z][\w./-]*)/g);
  return [...commands].map(([, word = ""]) => word);
}

describe("docs", () => {
  test("speak only of files and suites that exist", async () => {
    const named: string[] = [];
    const lost: string[] = [];
    for (const path of pages) {
      if (path === "CHANGELOG.md") continue;
      const text = await Bun.file(join(projectDir, path)).text();
      for (const file of filesIn(text)) {
        named.push(file);
        const [whole, end] = [new Glob(file), new Glob(`**/${file}`)];
        if (!code.some((each) => whole.match(each) || end.match(each)))
          lost.push(`${path}: ${file}`);
      }
      for (const word of suitesIn(text)) {
        named.push(word);
        const isSuite = (each: string) => each.includes(word) && /\.test\.tsx?$/.test(each);
        if (!code.some(isSuite)) lost.push(`${path}: no suite is ${word}`);
      }
    }
    expect(named).toContain("gateway/generate.ts");
    expect(named).toContain("src/lib/ids.test.ts");
    expect(lost).toEqual([]);
  });

  test("stay short enough to be read", async () => {
    const text = (path: string) => Bun.file(join(projectDir, path)).text();
    const lines = async (path: string) => (await text(path)).split("\n").length - 1;
    const size = (path: string) => Bun.file(join(projectDir, path)).size;
    expect(await lines("README.md")).toBeLessThanOrEqual(150);
    expect(await lines("README.zh.md")).toBeLessThanOrEqual(150);
    expect(await lines("AGENTS.md")).toBeLessThanOrEqual(80);
    expect(size("ARCHITECTURE.md")).toBeLessThanOrEqual(15 * 1024);
    expect(size("CHANGELOG.md")).toBeLessThanOrEqual(10 * 1024);
    const inDocs = found("docs/*.md").map(size);
    expect(inDocs.length).toBeGreaterThan(15);
    expect(inDocs.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(190 * 1024);
  });

  test("open with a sentence that says what the page is for", async () => {
    for (const path of found("docs/*.md")) {
      const [, , opening = ""] = (await Bun.file(join(projectDir, path)).text()).split("\n");
      expect([path, opening]).toEqual([
        path,
        expect.stringMatching(/^(?:This page |Choose your door)/),
      ]);
    }
  });

  test("lead only to files that exist", async () => {
    const targets: string[] = [];
    for (const path of pages) {
      const text = await Bun.file(join(projectDir, path)).text();
      targets.push(...targetsOf(path, text).map((target) => `${path} → ${target}`));
    }
    expect(targets).toContain("README.md → docs/pictures/receipt.webp");
    expect(targets).toContain("docs/billing.md → docs/routing.md");
    const lost = (line: string) => !existsSync(join(projectDir, line.split(" → ")[1] ?? ""));
    expect(targets.filter(lost)).toEqual([]);
  });

  test("have what is made from the code as it is made now", async () => {
    const { pages, sections } = await generatedPages();
    const outdated = pages.filter(({ text, current }) => text !== current);
    const help = outdated.map(({ path }) => `${path} is not current: run npm run docs`);
    expect(help).toEqual([]);
    const texts = pages.map(({ text }) => text).join("\n");
    const unused = [...sections.keys()].filter((name) => !texts.includes(`generated: ${name} -->`));
    expect(unused).toEqual([]);
  });

  test("lines for cron escape their percent signs, which would end them", async () => {
    const text = await Bun.file(join(projectDir, "docs", "backup.md")).text();
    const lines = text.split("\n").filter((line) => /^(?:[\d*,/-]+ ){5}\S/.test(line));
    expect(lines).not.toEqual([]);
    for (const line of lines) expect(line).not.toMatch(/(?<!\\)%/);
  });

  test("faregate-yaml.md names every rule of a model", async () => {
    const text = await page("faregate-yaml.md");
    for (const rule of RULE_NAMES) expect(text).toContain(`| \`${rule}\` |`);
  });
});
