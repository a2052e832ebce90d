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
import { mistake, readOptions } from "./terminal/arguments.ts";
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

/** All that may be the one or the other secret of a change, by where they are. */
function secretsAtHand({ secret, secretNext, dataDir }: Config) {
  const vaultOf = (text: string | undefined) =>
    text === undefined ? undefined : createVault(text);
  return {
    set: vaultOf(secret),
    file: vaultOf(findOwnSecret(dataDir)),
    nextFile: vaultOf(findNextSecret(dataDir)),
    nextSet: vaultOf(secretNext),
  };
}

type SecretsAtHand = ReturnType<typeof secretsAtHand>;

/** What servers would take instead of the file that is left of a change, or what would be lost by its taking its place. */
function inTheWay({ set, file, nextFile }: SecretsAtHand, left: Vault): string | undefined {
  if (left !== file && left !== nextFile) return undefined;
  if (set) return "FAREGATE_SECRET";
  return left === nextFile && file ? "the file secret.key" : undefined;
}

/** The one that is left of a change, where servers find it; otherwise the one that is set, or a new file. */
function openAccepted(config: Config, atHand: SecretsAtHand, left: Vault | undefined): Vault {
  const { secret, dataDir } = config;
  if (!left) return openVault(secret, dataDir);
  const other = inTheWay(atHand, left);
  if (other !== undefined) {
    throw new SecretError(
      `A change of the secret was begun, and a file of the data folder has one of its two; ${other} has neither. ` +
        `Remove ${other}, and run this again. Nothing was changed.`,
    );
  }
  if (left === atHand.nextFile) takeNextSecret(dataDir);
  return left;
}

/** Takes the secret that is set now, or a new file where there is none, for the installation's, where the one of before is lost. */
export async function takeSecret(config: Config, argv: readonly string[]): Promise<number> {
  const options = readOptions(argv, ["json?"]);
  const store = await openStore(config, { create: false, serve: true });
  try {
    const atHand = secretsAtHand(config);
    const vaults = Object.values(atHand).filter((vault) => vault !== undefined);
    const accepted = await acceptSecret(store, vaults, (left) =>
      openAccepted(config, atHand, left),
    );
    const next = accepted === atHand.nextSet ? [say("secretEnvironment")] : [];
    print(options, { accepted: true }, () =>
      [say("secretAccepted"), ...next, say("signInAgain")].join("\n"),
    );
    return 0;
  } finally {
    await store.close();
  }
}

/** Seals everything with a new secret. No server runs meanwhile. */
export async function rotateSecret(config: Config, argv: readonly string[]): Promise<number> {
  const options = readOptions(argv, ["json?"]);
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
