import { helpOf, wholeHelp } from "../words/help.ts";
import { spokenLanguage, WORDS } from "../words/language.ts";

/** Whether somebody wants to be told about a command instead of running it. */
export function asksForHelp(argv: readonly string[]): boolean {
  const [first = "help"] = argv;
  return first === "help" || argv.includes("--help") || argv.includes("-h");
}

/** Prints what is said of the command that was typed, or of all where none is known by that word. The exit code. */
export function printHelp(argv: readonly string[]): number {
  const { help } = WORDS[spokenLanguage()];
  const word = argv.find((typed) => typed !== "help" && !typed.startsWith("-")) ?? "";
  process.stdout.write(helpOf(help, word) ?? wholeHelp(help));
  return 0;
}
