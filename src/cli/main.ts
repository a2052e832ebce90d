import { shippedCatalogue } from "../catalogue/models.ts";
import { type Config, readConfig } from "../config.ts";
import { createAccount, listAccounts, topUp } from "./account.ts";
import { mistake } from "./arguments.ts";
import { usage, verify } from "./books.ts";
import { type CommandContext, withStore } from "./context.ts";
import { end, outliveReaders } from "./ending.ts";
import { createKey, listKeys, setKey, switchKey } from "./key.ts";
import { explain } from "./mistakes.ts";
import { readLanguage, speak, spokenLanguage, WORDS } from "./words/language.ts";

/** More outbound requests at once than Bun's default of 256; read by Bun only before it starts. */
const MAX_HTTP_REQUESTS = "65336";

/** Starts this process again, under the same pid, with what Bun reads only at its start. */
function raiseRequestLimit(): void {
  if (process.env.BUN_CONFIG_MAX_HTTP_REQUESTS !== undefined) return;
  const env = { ...process.env, BUN_CONFIG_MAX_HTTP_REQUESTS: MAX_HTTP_REQUESTS };
  const execve = (process as { execve?: (file: string, args: string[], env: object) => void })
    .execve;
  execve?.call(process, process.execPath, [process.execPath, ...process.argv.slice(1)], env);
}

type Command = (context: CommandContext, argv: readonly string[]) => Promise<void>;

function knownModels({ file }: Config): ReadonlySet<string> {
  const shipped = shippedCatalogue();
  const catalogue = file ? shipped.withOverrides(file) : shipped;
  return new Set([...catalogue.all()].map((model) => model.id));
}

const COMMANDS: Readonly<Record<string, Command>> = {
  "account create": createAccount,
  "account list": listAccounts,
  "key create": (context, argv) => createKey(context, argv, knownModels(context.config)),
  "key list": listKeys,
  "key set": (context, argv) => setKey(context, argv, knownModels(context.config)),
  "key disable": (context, argv) => switchKey(context, argv, false),
  "key enable": (context, argv) => switchKey(context, argv, true),
  // What only these two need takes a second to load, which no other command should wait for.
  "operator link": async (context, argv) =>
    (await import("./operator.ts")).printOperatorLink(context, argv),
  "operator reset": async (context, argv) =>
    (await import("./operator.ts")).printResetLink(context, argv),
  topup: topUp,
  usage,
  verify,
};

async function run(argv: readonly string[]): Promise<number> {
  speak(readLanguage(process.env));
  const [first = "help", second = ""] = argv;
  if (["help", "--help", "-h"].includes(first) || argv.includes("--help")) {
    process.stdout.write(WORDS[spokenLanguage()].help);
    return 0;
  }
  const config = readConfig(process.env, process.cwd());
  const rest = argv.slice(1);
  if (first === "serve") return (await import("./serve.ts")).serve(config);
  if (first === "draft") return (await import("./draft.ts")).draft(config, rest);
  if (first === "mcp") return (await import("./mcp.ts")).mcp(config);
  if (first === "platform") return (await import("./platform.ts")).platform(config, rest);
  if (first === "secret" && second === "rotate") {
    return (await import("./secret.ts")).rotateSecret(config, argv.slice(2));
  }
  for (const [name, words] of [
    [`${first} ${second}`, 2],
    [first, 1],
  ] as const) {
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (!command) continue;
    await withStore(config, (context) => command(context, argv.slice(words)));
    // A command that has something else to say has set it.
    return Number(process.exitCode ?? 0);
  }
  const named = second === "" || second.startsWith("-") ? first : `${first} ${second}`;
  throw mistake("noCommand", { command: named });
}

raiseRequestLimit();
outliveReaders();
const argv = process.argv.slice(2);
await end(await run(argv).catch((thrown: unknown) => explain(thrown, argv)));
