import { expect, test } from "bun:test";
import { helpOf, wholeHelp } from "./help.ts";
import { WORDS } from "./language.ts";

const HELP = {
  title: "a program",
  commands: `  faregate sing [songs]   aloud
  faregate sing softly
                [--long]   a second line
  faregate singer`,
  parts: { "[songs]": "Songs:\n  --old", "[dances]": "Dances:\n  --fast" },
  families: { singer: "Singers rest." },
  end: "That is all.",
};

test("the help has everything, part by part", () => {
  expect(wholeHelp(HELP)).toBe(
    [
      HELP.title,
      HELP.commands,
      "Songs:\n  --old",
      "Dances:\n  --fast",
      "Singers rest.",
      "That is all.\n",
    ].join("\n\n"),
  );
});

test("the help of one command has its lines, and the parts that they name", () => {
  const lines = HELP.commands.split("\n").slice(0, 3).join("\n");
  expect(helpOf(HELP, "sing")).toBe(`${lines}\n\nSongs:\n  --old\n`);
  expect(helpOf(HELP, "singer")).toBe("  faregate singer\n\nSingers rest.\n");
  expect(helpOf(HELP, "dance")).toBeUndefined();
});

test.each(["en", "zh"] as const)("every part is named by a command in %s", (language) => {
  const { commands, parts, families } = WORDS[language].help;
  expect(Object.keys(parts).filter((name) => !commands.includes(name))).toEqual([]);
  const words = Object.keys(families);
  expect(words.filter((word) => !commands.includes(`  faregate ${word} `))).toEqual([]);
});
