// What goes wrong on this side of the server: told to people in their language, and with --json to programs.
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { COMMAND_ERRORS } from "../../src/cli/terminal/arguments.ts";
import { perFile } from "../support/houses/house.ts";
import { typed } from "./commands.ts";

const folder = await perFile((parts) => parts.folder());
const article = join(folder, "article.md");
const broken = join(folder, "broken.md");
writeFileSync(article, "# T\n\ntext ![](none.png)\n");
writeFileSync(broken, "---\ntitle: [\n---\ntext\n");
mkdirSync(join(folder, "folder.md"));

const EMPTY = { FAREGATE_DATA: join(folder, "data") };
const NO_KEY = { ...EMPTY, FAREGATE_URL: "http://127.0.0.1:9" };
const NOBODY = { ...NO_KEY, FAREGATE_API_KEY: "sk-fg-1" };

const IN_FILE = { FAREGATE_DATA: article };
const BELOW_FILE = { FAREGATE_DATA: join(article, "data") };

const NEWER = { FAREGATE_DATA: join(folder, "newer") };
mkdirSync(NEWER.FAREGATE_DATA);
const newer = new Database(join(NEWER.FAREGATE_DATA, "faregate.sqlite"), { create: true });
newer.run("pragma user_version = 1000");
newer.close();

type Row = readonly [
  command: string[],
  settings: Record<string, string>,
  expected: { code: string; param?: string; exit?: number; message: RegExp; words: RegExp },
];

const usage = "invalid_usage";
const ROWS: readonly Row[] = [
  [["fly"], EMPTY, { code: usage, message: /no command "fly"/, words: /没有命令“fly”/ }],
  [
    ["key", "list", "--wings"],
    EMPTY,
    { code: "no_database", message: /faregate serve/, words: /faregate serve/ },
  ],
  [
    ["draft", "ls", "--wings"],
    EMPTY,
    { code: usage, param: "--wings", message: /no option --wings/, words: /没有选项 --wings/ },
  ],
  [
    ["draft", "new", "--brief"],
    EMPTY,
    {
      code: usage,
      param: "--brief",
      message: /--brief needs a value/,
      words: /--brief 需要一个值/,
    },
  ],
  [
    ["draft", "push", join(folder, "none.md")],
    EMPTY,
    { code: "file_not_found", message: /there is no file/, words: /没有文件/ },
  ],
  [
    ["draft", "push", join(folder, "folder.md")],
    EMPTY,
    { code: "invalid_file", message: /not a file that can be read/, words: /不是可读取的文件/ },
  ],
  [
    ["draft", "push", article],
    EMPTY,
    { code: "file_not_found", message: /none\.png is not there/, words: /找不到图片 none\.png/ },
  ],
  [
    ["draft", "update", "drf_1", broken],
    EMPTY,
    { code: "invalid_file", message: /settings above the text/, words: /无法读取正文上方的设置/ },
  ],
  [
    ["draft", "ls"],
    NO_KEY,
    { code: "missing_api_key", message: /set FAREGATE_API_KEY/, words: /使用 FAREGATE_URL 时/ },
  ],
  [
    ["draft", "ls"],
    NOBODY,
    {
      code: "upstream_unavailable",
      exit: 3,
      message: /cannot be reached/,
      words: /127\.0\.0\.1:9/,
    },
  ],
  [
    ["verify"],
    { ...EMPTY, FAREGATE_PORT: "x" },
    { code: "invalid_setting", message: /FAREGATE_PORT/, words: /FAREGATE_PORT/ },
  ],
  [
    ["platform", "token", "--sets", "1"],
    { FAREGATE_DATA: join(folder, "platform") },
    { code: usage, message: /--sets needs/, words: /--sets 须与/ },
  ],
  [
    ["backup", ""],
    EMPTY,
    { code: usage, message: /name one file, as in/, words: /请指定一个文件/ },
  ],
  [
    ["restore", ""],
    EMPTY,
    { code: usage, message: /name one backup, as in/, words: /请指定一个备份/ },
  ],
  [
    ["backup", folder, "--force"],
    EMPTY,
    {
      code: "invalid_file",
      message: /is a folder; name a file in it, as in: faregate backup .*\/today\.tar/,
      words: /是文件夹，请指定其中的文件，例如：faregate backup .*\/today\.tar/,
    },
  ],
  [
    ["backup", join(article, "b.tar")],
    EMPTY,
    { code: "file_not_found", message: /no folder .*article\.md/, words: /没有文件夹/ },
  ],
  [
    ["backup", join(folder, "b.tar")],
    EMPTY,
    { code: "no_database", message: /Point FAREGATE_DATA at the folder/, words: /FAREGATE_DATA/ },
  ],
  ...[IN_FILE, BELOW_FILE].flatMap((settings) =>
    [["verify"], ["account", "list"], ["restore", broken], ["backup", join(folder, "b.tar")]].map(
      (command): Row => [
        command,
        settings,
        { code: "invalid_setting", message: /FAREGATE_DATA is ".*", .* a file/, words: /a file/ },
      ],
    ),
  ),
  ...[
    ["verify", "more"],
    ["doctor", "more"],
    ["version", "more"],
    ["secret", "rotate", "more"],
    ["secret", "accept", "more"],
    ["draft", "doctor", "more"],
    ["draft", "ls", "more"],
    ["draft", "themes", "more"],
  ].map(
    (command): Row => [
      command,
      EMPTY,
      { code: usage, message: /"more" is not expected here/, words: /此处不应出现“more”/ },
    ],
  ),
  [["verify"], NEWER, { code: "database_unfit", message: /newer Faregate/, words: /money/ }],
  [["secret", "rotate"], EMPTY, { code: "no_database", message: /./, words: /./ }],
];

describe("with --json an error stands where the answer would have", () => {
  test.each(ROWS)("%p %p", async (command, settings, expected) => {
    const result = await typed([...command, "--json"], { ...settings, FAREGATE_LANG: "zh" });
    const { error } = JSON.parse(result.stdout) as { error: Record<string, unknown> };
    expect<Record<string, unknown>>({ exit: result.code, ...error }).toEqual({
      exit: expected.exit ?? 2,
      message: expect.stringMatching(expected.message),
      type: expect.stringMatching(/_error$/),
      code: expected.code,
      param: expected.param ?? null,
    });
    // A program's words are the same everywhere; a person's are those of the terminal.
    expect(String(error.message)).not.toMatch(/\p{Script=Han}/u);
    expect(result.stderr).toStartWith("faregate: ");
    expect(result.stderr).toMatch(expected.words);
    expect(result.stderr).not.toContain("    at ");
  });
});

test("a terminal is answered in its language, tables and help too", async () => {
  const chinese = { ...EMPTY, FAREGATE_LANG: "", LC_ALL: "", LC_MESSAGES: "", LANG: "zh_CN.UTF-8" };
  const help = await typed(["help"], chinese);
  expect(help.stdout).toContain("语言模型的预付费网关");
  const data = { ...chinese, FAREGATE_DATA: join(folder, "platform") };
  expect((await typed(["account", "create", "--name", "甲"], data)).stdout).toMatch(/^账户 甲 的/);
  const { stdout } = await typed(["account", "list"], data);
  const [heading = "", row = ""] = stdout.split("\n");
  expect(heading).toMatch(/^id +名称 +余额 +密钥数 +创建时间$/);
  const columnOf = (line: string, word: string) =>
    Bun.stringWidth(line.slice(0, line.indexOf(word)));
  expect(columnOf(row, "0.0")).toBe(columnOf(heading, "余额"));
  const wrong = await typed(["help"], { ...EMPTY, FAREGATE_LANG: "fr" });
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("must be en or zh") });
});

test("the documented table has every one of them, with its exit code", () => {
  for (const [, , { code, exit = 2 }] of ROWS) {
    const row = Object.entries(COMMAND_ERRORS).find(([name]) => name === code)?.[1];
    expect([code, Number(row?.exit)]).toEqual([code, exit]);
  }
});
