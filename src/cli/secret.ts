import { checkSecret } from "../compose/check-secret.ts";
import {
  acceptSecret,
  changeSecret,
  checkInUse,
  isChangedTo,
  isChanging,
} from "../compose/secret.ts";
import { SecretError } from "../compose/secret-error.ts";
import type { Config } from "../config/config.ts";
import {
  findNextSecret,
  findOwnSecret,
  nextSecret,
  takeNextSecret,
} from "../lib/secrets/secret-file.ts";
import { createVault, openVault, type Vault } from "../lib/secrets/vault.ts";
import { openStore } from "../store/open.ts";
import type { Store } from "../store/store.ts";
import { mistake, readArguments } from "./terminal/arguments.ts";
import { print } from "./terminal/print.ts";
import { say } from "./words/language.ts";

/** The one that is set or in the file. None is made here: nothing could be sealed with it. */
function secretInUse({ secret, dataDir }: Config): Vault {
  const text = secret ?? findOwnSecret(dataDir);
  if (text !== undefined) return createVault(text);
  throw new SecretError(
    "FAREGATE_SECRET is not set, and there is no file secret.key in the data folder. Set it to the " +
      "secret that the servers use.",
  );
}

/** The secret that takes the place of the one in use, and whether it is a file of the data folder. */
async function chooseNext(store: Store, config: Config): Promise<{ text: string; file: boolean }> {
  if (config.secretNext !== undefined) return { text: config.secretNext, file: false };
  if (config.secret !== undefined) throw mistake("secretSet");
  if ((await isChanging(store)) && findNextSecret(config.dataDir) === undefined) {
    throw new SecretError(
      "The file secret.key.next of a change that was begun is missing. Put it back into the data folder. Where it " +
        'is lost, "faregate secret accept" goes on with secret.key: what was sealed with the lost one stays unreadable.',
    );
  }
  return { text: nextSecret(config.dataDir), file: true };
}

/** All that may be the one or the other secret of a change. */
function secretsAtHand({ secret, secretNext, dataDir }: Config): Vault[] {
  return [secret, secretNext, findOwnSecret(dataDir), findNextSecret(dataDir)]
    .filter((text) => text !== undefined)
    .map(createVault);
}

/** Of a change of which only the next secret is left, that one: a part of the rows is sealed with it. */
function openAccepted({ secret, dataDir }: Config): Vault {
  const isLost = secret === undefined && findOwnSecret(dataDir) === undefined;
  if (isLost && findNextSecret(dataDir) !== undefined) takeNextSecret(dataDir);
  return openVault(secret, dataDir);
}

/** Takes the secret that is set now, or a new file where there is none, for the installation's, where the one of before is lost. */
export async function takeSecret(config: Config, argv: readonly string[]): Promise<number> {
  const { options } = readArguments(argv, ["json?"]);
  const store = await openStore(config, { create: false, serve: true });
  try {
    await acceptSecret(store, () => openAccepted(config), secretsAtHand(config));
    print(options, { accepted: true }, () => `${say("secretAccepted")}\n${say("signInAgain")}`);
    return 0;
  } finally {
    await store.close();
  }
}

/** Seals everything with a new secret. No server runs meanwhile. */
export async function rotateSecret(config: Config, argv: readonly string[]): Promise<number> {
  const { options } = readArguments(argv, ["json?"]);
  const store = await openStore(config, { create: false, serve: true });
  try {
    const old = secretInUse(config);
    const changed = await isChangedTo(store, old);
    // A change that is over but for its end gets it; otherwise this comes before a next file is made.
    await (changed ? checkSecret(store, old) : checkInUse(store, old));
    const finished = changed && config.secretNext === undefined;
    const next = finished ? undefined : await chooseNext(store, config);
    const done = next
      ? await changeSecret(store, old, createVault(next.text))
      : { rows: 0, unreadable: 0 };
    if (next?.file) takeNextSecret(config.dataDir);
    if (!next || next.file) await checkSecret(store, openVault(config.secret, config.dataDir));
    const words = say(next && !next.file ? "secretEnvironment" : "secretFile");
    print(options, { resealed: done.rows, unreadable: done.unreadable }, () =>
      [
        say("resealed", { count: done.rows }),
        ...(done.unreadable > 0 ? [say("unreadable", { count: done.unreadable })] : []),
        words,
        say("signInAgain"),
      ].join("\n"),
    );
    return 0;
  } finally {
    await store.close();
  }
}
