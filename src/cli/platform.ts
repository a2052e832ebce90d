import { checkedVault } from "../compose/check-secret.ts";
import { type OpenPlatform, openPlatform } from "../compose/platform.ts";
import type { Config } from "../config/config.ts";
import { systemClock } from "../lib/clock.ts";
import { TaskGroup } from "../lib/threads/task-group.ts";
import { ACCOUNT_TYPES, type AccountChanges, PRODUCT_RIGHTS } from "../platform/account.ts";
import { openStore } from "../store/open.ts";
import { createLog } from "../telemetry/log.ts";
import {
  list,
  mistake,
  networks,
  notAmong,
  type Options,
  readOptions,
  text,
  yesNo,
} from "./terminal/arguments.ts";
import { print } from "./terminal/print.ts";

type Command = (open: OpenPlatform, argv: readonly string[]) => Promise<void>;

/** Beside a server that may run; a database that is not there yet is made. */
async function withPlatform(
  config: Config,
  work: (open: OpenPlatform) => Promise<void>,
): Promise<void> {
  const store = await openStore(config, { create: true, serve: false });
  try {
    await checkedVault(store, config);
    const log = createLog(config.logLevel);
    const tasks = new TaskGroup((thrown) => log.error("task_failed", { thrown }));
    const open = openPlatform({ config, store, clock: systemClock, log, tasks });
    await work(open);
    await tasks.settled();
    await open.stop();
  } finally {
    await store.close();
  }
}

const showAccount: Command = async (open, argv) => {
  const options = readOptions(argv, ["json?"]);
  const { appid, secret } = await open.sandbox();
  print(options, { appid, secret }, () => `AppID      ${appid}\nAppSecret  ${secret}`);
};

function choice<T extends string>(
  options: Options,
  name: string,
  values: readonly T[],
): T | undefined {
  const value = text(options, name);
  if (value === undefined) return undefined;
  const found = values.find((candidate) => candidate === value);
  if (found !== undefined) return found;
  throw mistake("notChoice", { option: `--${name}`, choices: values.join(", ") });
}

/** An address that is told about publishes, or "none". */
function callback(options: Options): string | null | undefined {
  const value = text(options, "callback");
  if (value === undefined) return undefined;
  if (value === "none") return null;
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol)) {
    throw mistake("notCallback", { option: "--callback" });
  }
  return value;
}

function changesOf(options: Options): AccountChanges {
  const ranges = networks(options, "networks");
  const changes = {
    type: choice(options, "type", ACCOUNT_TYPES),
    product: choice(options, "product", PRODUCT_RIGHTS),
    verified: yesNo(options, "verified"),
    comments: yesNo(options, "comments"),
    networks: ranges === null ? [] : ranges,
    callback: callback(options),
  };
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}

const setAccount: Command = async (open, argv) => {
  const names = ["type", "product", "verified", "comments", "networks", "callback", "json?"];
  const options = readOptions(argv, names);
  const changes = changesOf(options);
  if (Object.keys(changes).length === 0) throw mistake("accountUnchanged");
  const { appid } = await open.sandbox();
  const account = await open.platform.accounts.set(appid, changes);
  if (account === undefined) throw new Error("the public account vanished while it was being set");
  const { type, verified, comments, product, networks, callback } = account;
  const shown = { appid, type, verified, comments, product, networks, callback };
  print(options, shown, () =>
    Object.entries(shown)
      .map(([name, value]) => `${name.padEnd(9)} ${Array.isArray(value) ? value.join(",") : value}`)
      .join("\n"),
  );
};

function permissionSets(options: Options): readonly number[] {
  const sets = (list(options, "sets") ?? []).map(Number);
  if (sets.every((set) => Number.isInteger(set) && set > 0)) return sets;
  throw mistake("notSets", { option: "--sets" });
}

const giveToken: Command = async (open, argv) => {
  const options = readOptions(argv, ["third-party?", "sets", "json?"]);
  const isThirdParty = options["third-party"] === true;
  if (!isThirdParty && options.sets !== undefined) throw mistake("setsAlone");
  const { appid } = await open.sandbox();
  if (isThirdParty) {
    const issued = await open.platform.tokens.authorize(appid, permissionSets(options));
    const { token, expiresInS, refreshToken } = issued;
    const given = { access_token: token, expires_in: expiresInS, refresh_token: refreshToken };
    return print(options, given, () => token);
  }
  const { token, expiresInS } = await open.platform.tokens.stable(appid, false);
  print(options, { access_token: token, expires_in: expiresInS }, () => token);
};

const COMMANDS: Readonly<Record<string, Command>> = {
  account: showAccount,
  "account set": setAccount,
  token: giveToken,
};

/** `faregate platform …`; alone, it serves the platform until it is told to stop. The exit code. */
export async function platform(config: Config, argv: readonly string[]): Promise<number> {
  const [first, second] = argv;
  if (first === undefined) {
    // What only a server needs takes a second to load, which no other command should wait for.
    return (await import("./platform-serve.ts")).servePlatform(config);
  }
  for (const [name, words] of [
    [`${first} ${second}`, 2],
    [first, 1],
  ] as const) {
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (!command) continue;
    await withPlatform(config, (open) => command(open, argv.slice(words)));
    return 0;
  }
  throw notAmong("platform", COMMANDS);
}
