// What a person types, from the words to the exit code. It reads the settings that it is given and changes
// nothing of the process that it runs in.
import { version } from "../../package.json" with { type: "json" };
import { type Config, readConfig } from "../config/config.ts";
import { handedFile } from "../config/file-text.ts";
import { createAccount, listAccounts, setAccount, topUp } from "./account.ts";
import { usage } from "./books.ts";
import { type CommandContext, withStore } from "./context.ts";
import type { Environment } from "./draft/draft-server.ts";
import { createKey, listKeys, setKey, switchKey } from "./key.ts";
import { deleteKey, rotateKey } from "./key-ends.ts";
import { mistake, notAmong, readOptions } from "./terminal/arguments.ts";
import { asksForHelp, printHelp } from "./terminal/help.ts";
import { explain } from "./terminal/mistakes.ts";
import { print } from "./terminal/print.ts";
import { readLanguage, speak } from "./words/language.ts";

type Argv = readonly string[];
/** Resolves with its exit code. */
type Command = (config: Config, argv: Argv, env: Environment) => Promise<number>;
type Commands = Readonly<Record<string, Command>>;

/** A command on the database of the installation. */
function inStore(work: (context: CommandContext, argv: Argv) => Promise<void>): Command {
  return (config, argv) =>
    withStore(config, async (context) => {
      await work(context, argv);
      return 0;
    });
}

// What only some commands need takes a second to load, which no other command should wait for.
const COMMANDS: Commands = {
  serve: async (config, argv, env) => (await import("./serve.ts")).serve(config, argv, env),
  office: async (config, argv, env) => (await import("./office.ts")).office(config, argv, env),
  draft: async (config, argv, env) => (await import("./draft/draft.ts")).draft(config, argv, env),
  mcp: async (config, _argv, env) => (await import("./draft/mcp.ts")).mcp(config, env),
  platform: async (config, argv) => (await import("./platform.ts")).platform(config, argv),
  health: async (config, argv) => (await import("./health.ts")).health(config, argv),
  verify: async (config, argv) => (await import("./storage/verify.ts")).verify(config, argv),
  backup: async (config, argv) => (await import("./storage/backup.ts")).backup(config, argv),
  restore: async (config, argv) => (await import("./storage/restore.ts")).restore(config, argv),
  migrate: async (config, argv) => (await import("./storage/migrate.ts")).migrate(config, argv),
  upgrade: async (config, argv, env) =>
    (await import("./storage/upgrade.ts")).upgrade(config, argv, env),
  topup: inStore(topUp),
  usage: inStore(usage),
};

/** Commands of two words, by the first one. */
const FAMILIES: Readonly<Record<string, Commands>> = {
  account: {
    create: inStore(createAccount),
    list: inStore(listAccounts),
    set: inStore(setAccount),
  },
  key: {
    create: inStore(createKey),
    list: inStore(listKeys),
    set: inStore(setKey),
    disable: inStore((context, argv) => switchKey(context, argv, false)),
    enable: inStore((context, argv) => switchKey(context, argv, true)),
    rotate: inStore(rotateKey),
    delete: inStore(deleteKey),
  },
  operator: {
    link: inStore(async (context, argv) =>
      (await import("./operator.ts")).printOperatorLink(context, argv),
    ),
    reset: inStore(async (context, argv) =>
      (await import("./operator.ts")).printResetLink(context, argv),
    ),
  },
  secret: {
    rotate: async (config, argv) => (await import("./secret.ts")).rotateSecret(config, argv),
    accept: async (config, argv) => (await import("./secret.ts")).takeSecret(config, argv),
  },
};

function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

async function carryOut(argv: Argv, env: Environment): Promise<number> {
  speak(readLanguage(env));
  const [first = "", second = ""] = argv;
  const family = own(FAMILIES, first);
  if (asksForHelp(argv) || (family && argv.length === 1)) return printHelp(argv);
  const rest = argv.slice(1);
  if (first === "version" || first === "--version") {
    print(readOptions(rest, ["json?"]), { version }, () => version);
    return 0;
  }
  // Before the settings are read: it also says what is wrong with them.
  if (first === "doctor") return (await import("./doctor/doctor.ts")).doctor(env, rest);
  const command = family ? own(family, second) : own(COMMANDS, first);
  if (!command) throw family ? notAmong(first, family) : mistake("noCommand", { command: first });
  const config = readConfig(env, process.cwd(), handedFile(env));
  return command(config, family ? rest.slice(1) : rest, env);
}

/** Does what was typed, tells what went wrong, and resolves with the exit code. */
export function run(argv: readonly string[], env: Environment): Promise<number> {
  return carryOut(argv, env).catch((thrown: unknown) => explain(thrown, argv));
}
