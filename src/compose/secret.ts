import type { BodyTable, KeptBody } from "../conversations/record.ts";
import { placeOf, STORED_ANSWERS } from "../conversations/sealing.ts";
import { type ByteSeal, createByteSeal, isBound, isSealed } from "../lib/secrets/byte-seal.ts";
import { openedBy, type Vault } from "../lib/secrets/vault.ts";
import {
  changeColumn,
  forgetDraftTokens,
  SIGN_IN_COLUMNS,
  VAULT_COLUMNS,
} from "../store/secret/sealed-columns.ts";
import { sumOf } from "../store/secret/secret-fit.ts";
import { SecretRow } from "../store/secret/secret-row.ts";
import type { Store } from "../store/store.ts";
import { SecretError } from "./secret-error.ts";

const TABLES: readonly BodyTable[] = ["responses", "kept_answers"];

const OTHERS_SERVE =
  "A server is running on this database. Stop all of them; on PostgreSQL, one that was killed counts until its " +
  "lease is over (FAREGATE_INSTANCE_LEASE_MS).";

/** What a change came to: rows that were sealed anew, and those that neither secret opens. */
interface Resealed {
  readonly rows: number;
  readonly unreadable: number;
}

class Change {
  readonly #store: Pick<Store, "sql" | "bodies">;
  readonly #old: Vault;
  readonly #next: Vault;
  #rows = 0;
  #unreadable = 0;

  constructor(store: Pick<Store, "sql" | "bodies">, old: Vault, next: Vault) {
    this.#store = store;
    this.#old = old;
    this.#next = next;
  }

  /** Everything once. What a run before this one has done is seen and left. */
  async run(): Promise<Resealed> {
    const { sql } = this.#store;
    for (const column of VAULT_COLUMNS) {
      await changeColumn(sql, column, async (text) => this.#text(text));
    }
    const signIn = await this.#signIn();
    for (const column of SIGN_IN_COLUMNS) await changeColumn(sql, column, signIn);
    await forgetDraftTokens(sql);
    for (const table of TABLES) await this.#bodies(table);
    return { rows: this.#rows, unreadable: this.#unreadable };
  }

  #text(text: string): string | undefined {
    if (openedBy(this.#next, text) !== undefined) return undefined;
    const plain = openedBy(this.#old, text);
    if (plain === undefined) return this.#leave();
    this.#rows += 1;
    return this.#next.seal(plain);
  }

  /** The library seals second factors and tokens by itself; nobody has to enter them anew. */
  async #signIn(): Promise<(text: string) => Promise<string | undefined>> {
    const { symmetricDecrypt, symmetricEncrypt } = await import("better-auth/crypto");
    const [old, next] = [this.#old, this.#next].map((vault) => vault.derive("sessions"));
    const opened = (key = "", data: string) =>
      symmetricDecrypt({ key, data }).catch(() => undefined);
    return async (text) => {
      if ((await opened(next, text)) !== undefined) return undefined;
      const data = await opened(old, text);
      if (data === undefined) return this.#leave();
      this.#rows += 1;
      return symmetricEncrypt({ key: next ?? "", data });
    };
  }

  async #bodies(table: BodyTable): Promise<void> {
    const { bodies: store } = this.#store;
    const old = createByteSeal(this.#old, STORED_ANSWERS);
    const next = createByteSeal(this.#next, STORED_ANSWERS);
    let after: readonly string[] | undefined;
    for (;;) {
      const page = await store.bodies(table, after);
      if (page.length === 0) return;
      const changed = page.flatMap((kept) => this.#body(table, kept, old, next) ?? []);
      if (changed.length > 0) await store.replaceBodies(table, changed);
      after = page.at(-1)?.name;
    }
  }

  /** One from before there was a seal, or before seals were bound to their rows, gets one as well. */
  #body(table: BodyTable, kept: KeptBody, old: ByteSeal, next: ByteSeal): KeptBody | undefined {
    const { body } = kept;
    const place = placeOf(table, kept);
    const byNext = next.open(body, place);
    if (byNext && isBound(body)) return undefined;
    const plain = byNext ?? (isSealed(body) ? old.open(body, place) : body);
    if (plain === undefined) return this.#leave();
    this.#rows += 1;
    return { ...kept, body: next.seal(plain, place) };
  }

  #leave(): undefined {
    this.#unreadable += 1;
    return undefined;
  }
}

/**
 * Whoever changes the secret must have the one in use. With another, every row would be one that cannot
 * be opened, and afterwards the servers would be told to use a secret that opens none of them.
 */
export async function checkInUse(store: Pick<Store, "sql">, old: Vault): Promise<void> {
  const state = await new SecretRow(store.sql).find();
  if (!state || state.sum === sumOf(old)) return;
  throw new SecretError(
    "This secret is not the one that this installation uses. Set FAREGATE_SECRET, or put the file " +
      "secret.key back, as the servers had it when they last ran. Nothing was changed.",
  );
}

/**
 * Seals everything with the next secret. The row is written before anybody is looked for, and a server
 * is seen before it reads the row: so one of the two always sees the other.
 */
export async function changeSecret(
  store: Pick<Store, "sql" | "bodies" | "othersServe">,
  old: Vault,
  next: Vault,
): Promise<Resealed> {
  const row = new SecretRow(store.sql);
  const before = await row.find();
  const nextSum = sumOf(next);
  if (nextSum === sumOf(old)) throw new SecretError("The new secret is the one that is in use.");
  if (before && before.nextSum !== null && before.nextSum !== nextSum) {
    throw new SecretError(
      "A change to another secret did not finish. Finish it with that one. If it is " +
        'lost, "faregate secret accept" goes on with the one of before: what was sealed with the lost one stays ' +
        "unreadable.",
    );
  }
  await checkInUse(store, old);
  await row.save({ sum: sumOf(old), nextSum, resealed: false });
  if (await store.othersServe()) {
    // Of a change that was begun before rows may be sealed anew already: it stays begun.
    if (!before?.nextSum) await row.save({ sum: sumOf(old), nextSum: null, resealed: false });
    throw new SecretError(OTHERS_SERVE);
  }
  const done = await new Change(store, old, next).run();
  await row.save({ sum: sumOf(old), nextSum, resealed: true });
  return done;
}

/**
 * Goes on with another secret where the one of before is lost. Nothing that it has sealed can be read again. So ends a
 * change, too, of which one of the two secrets is lost: with the one that is `left`, which opens a part of the rows. With
 * both of them at hand nothing need be. The vault is opened, and a file made for it, when nothing stands against it any
 * more.
 */
export async function acceptSecret(
  store: Pick<Store, "sql" | "othersServe">,
  atHand: readonly Vault[],
  open: (left: Vault | undefined) => Vault,
): Promise<Vault> {
  const row = new SecretRow(store.sql);
  const state = await row.find();
  const ofChange = state?.nextSum == null ? [] : [state.sum, state.nextSum];
  const left = atHand.filter((vault) => ofChange.includes(sumOf(vault)));
  if (new Set(left.map(sumOf)).size > 1) {
    throw new SecretError(
      "A change of the secret did not finish, and both secrets are here. Finish it with " +
        '"faregate secret rotate".',
    );
  }
  if (await store.othersServe()) throw new SecretError(OTHERS_SERVE);
  const accepted = open(left[0]);
  await row.save({ sum: sumOf(accepted), nextSum: null, resealed: false });
  return accepted;
}

/** Whether everything is sealed with this one, and only the end of the change is missing. */
export async function isChangedTo(store: Pick<Store, "sql">, vault: Vault): Promise<boolean> {
  const state = await new SecretRow(store.sql).find();
  return state?.resealed === true && state.nextSum === sumOf(vault);
}

/** Whether a change was begun and is not known to be over. */
export async function isChanging(store: Pick<Store, "sql">): Promise<boolean> {
  return (await new SecretRow(store.sql).find())?.nextSum != null;
}
