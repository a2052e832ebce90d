import { shippedCatalogue } from "../catalogue/models.ts";
import { type Config, readConfig } from "../config.ts";
import { createAccount, listAccounts, topUp } from "./account.ts";
import { UsageError } from "./arguments.ts";
import { usage, verify } from "./books.ts";
import { type CommandContext, withStore } from "./context.ts";
import { end, outliveReaders } from "./ending.ts";
import { createKey, listKeys, setKey, switchKey } from "./key.ts";
import { explain } from "./mistakes.ts";

const HELP = `faregate: a prepaid gateway for language models

  faregate serve                          serve; the first start makes an account and a key
  faregate account create --name N [--hard]
  faregate account list
  faregate key create --name N [--account ID] [settings]
  faregate key list [--account ID]
  faregate key set ID [--name N] [settings]
  faregate key disable ID
  faregate key enable ID
  faregate operator link                  a way into the console, for one more operator
  faregate operator reset EMAIL           a link by which somebody sets a new password
  faregate platform                       serve only the public-account platform
  faregate platform account               AppID and AppSecret of this installation's public account
  faregate platform account set [rights]
  faregate platform token [--third-party --sets 11,100]
  faregate draft new --brief TEXT --model M [article]      have an article written, as a draft
  faregate draft push FILE.md|FILE.html [article]          a draft of your own text
  faregate draft ls | get ID | rm ID | retry ID [--as-new]
  faregate draft update ID [FILE] [article]
  faregate draft doctor [--account A] | themes
  faregate mcp                            drafts for an agent, over standard input and output
  faregate topup --account ID 10.00 [--note TEXT] [--id IDEMPOTENCY-KEY]
  faregate usage [--account ID] [--key ID] [--days 30]
  faregate verify                         recompute every sum of the books
  faregate secret rotate                  a new secret for all that is sealed; stop the server first

Settings of a key:
  --budget 1.50|none                           in all
  --budget-day 1.50|none  --budget-week 5|none  --budget-month 20|none
  --time-zone Asia/Shanghai                    where days, weeks and months begin (UTC)
  --models a,b|all      --networks 10.0.0.0/8,…|all
  --rpm N  --tpm N  --concurrency N            requests, tokens per minute; at once (0: no limit)
  --expires 2027-01-31|never                   --hard yes|no
  --account-read yes|no                        --show-cost yes|no

Rights of a public account:
  --type subscription|service|other            --product ok|restricted|off
  --verified yes|no     --comments yes|no      --networks 10.0.0.0/8,…|all
  --callback https://…|none                    is told when a draft has been published

Of an article:
  --title T  --author A  --digest D  --theme T --cover FILE|URL  --source-url URL
  --account A                                  the public account, by name or id
  --language L  --length short|medium|long|N   --tone T (of a brief)
  --dry-run             --key IDEMPOTENCY-KEY  --publish  --allow-outside (pictures of other folders)
These talk to FAREGATE_URL, or the server of this folder, or one of their own; with FAREGATE_API_KEY,
or the key "command line". They exit with 2 for input, 3 for settings, rights and addresses, 4 for
limits, 5 when it is not known what the platform did.

Each command takes --json. The settings are read from the environment: FAREGATE_DATA (./data),
DATABASE_URL, FAREGATE_HOST (127.0.0.1), FAREGATE_PORT (8080); docs/settings.md lists all.
`;

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
  const [first = "help", second = ""] = argv;
  if (["help", "--help", "-h"].includes(first) || argv.includes("--help")) {
    process.stdout.write(HELP);
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
  throw new UsageError(`there is no command "${[first, second].join(" ").trim()}"`);
}

raiseRequestLimit();
outliveReaders();
await end(await run(process.argv.slice(2)).catch(explain));
