// What a person types, from the words to the exit code. It reads the settings that it is given and changes
// nothing of the process that it runs in.
import { version } from "../../package.json" with { type: "json" };
import { readConfig } from "../config/config.ts";
import { createAccount, listAccounts, topUp } from "./account.ts";
import { usage } from "./books.ts";
import { type CommandContext, withStore } from "./context.ts";
import type { Environment } from "./draft/draft-server.ts";
import { createKey, listKeys, setKey, switchKey } from "./key.ts";
import { deleteKey, rotateKey } from "./key-ends.ts";
import { mistake, readOptions } from "./terminal/arguments.ts";
import { explain } from "./terminal/mistakes.ts";
import { print } from "./terminal/print.ts";
import { readLanguage, speak, spokenLanguage, WORDS } from "./words/language.ts";

/** Its exit code, where it can have another than zero. */
type Command = (
  context: CommandContext,
  argv: readonly string[],
) => Promise<void> | Promise<number>;

const COMMANDS: Readonly<Record<string, Command>> = {
  "account create": createAccount,
  "account list": listAccounts,
  "key create": createKey,
  "key list": listKeys,
  "key set": setKey,
  "key disable": (context, argv) => switchKey(context, argv, false),
  "key enable": (context, argv) => switchKey(context, argv, true),
  "key rotate": rotateKey,
  "key delete": deleteKey,
  // What only these two need takes a second to load, which no other command should wait for.
  "operator link": async (context, argv) =>
    (await import("./operator.ts")).printOperatorLink(context, argv),
  "operator reset": async (context, argv) =>
    (await import("./operator.ts")).printResetLink(context, argv),
  topup: topUp,
  usage,
};

async function carryOut(argv: readonly string[], env: Environment): Promise<number> {
  speak(readLanguage(env));
  const [first = "help", second = ""] = argv;
  if (["help", "--help", "-h"].includes(first) || argv.includes("--help")) {
    process.stdout.write(WORDS[spokenLanguage()].help);
    return 0;
  }
  const rest = argv.slice(1);
  if (first === "version" || first === "--version") {
    print(readOptions(rest, ["json?"]), { version }, () => version);
    return 0;
  }
  // Before the settings are read: it also says what is wrong with them.
  if (first === "doctor") return (await import("./doctor/doctor.ts")).doctor(env, rest);
  const config = readConfig(env, process.cwd());
  if (first === "serve") return (await import("./serve.ts")).serve(config, rest, env);
  if (first === "office") return (await import("./office.ts")).office(config, rest, env);
  if (first === "draft") return (await import("./draft/draft.ts")).draft(config, rest, env);
  if (first === "mcp") return (await import("./draft/mcp.ts")).mcp(config, env);
  if (first === "platform") return (await import("./platform.ts")).platform(config, rest);
  if (first === "verify") return (await import("./storage/verify.ts")).verify(config, rest);
  if (first === "backup") return (await import("./storage/backup.ts")).backup(config, rest);
  if (first === "restore") return (await import("./storage/restore.ts")).restore(config, rest);
  if (first === "migrate") return (await import("./storage/migrate.ts")).migrate(config, rest);
  if (first === "secret" && second === "rotate") {
    return (await import("./secret.ts")).rotateSecret(config, argv.slice(2));
  }
  if (first === "secret" && second === "accept") {
    return (await import("./secret.ts")).takeSecret(config, argv.slice(2));
  }
  for (const [name, words] of [
    [`${first} ${second}`, 2],
    [first, 1],
  ] as const) {
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (!command) continue;
    return withStore(config, async (context) => (await command(context, argv.slice(words))) ?? 0);
  }
  const named = second === "" || second.startsWith("-") ? first : `${first} ${second}`;
  throw mistake("noCommand", { command: named });
}

/** Does what was typed, tells what went wrong, and resolves with the exit code. */
export function run(argv: readonly string[], env: Environment): Promise<number> {
  return carryOut(argv, env).catch((thrown: unknown) => explain(thrown, argv));
}
