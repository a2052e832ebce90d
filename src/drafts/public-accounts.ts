import type { Clock } from "../lib/clock.ts";
import { Fault } from "../lib/faults.ts";
import { newId } from "../lib/ids.ts";
import { openedBy, type Vault } from "../lib/secrets/vault.ts";
import type { NewPublicAccount, PublicAccountChange } from "./contract/public-account-form.ts";
import type { PublicAccount } from "./draft.ts";
import { changedAccess, checkCredential, newAccess } from "./platform-api/account-access.ts";
import type { GrantRows } from "./tables/grants.ts";
import type { PublicAccountRows } from "./tables/public-accounts.ts";

const SANDBOX_NAME = "sandbox";
/** The platform's last for two hours; whoever says more is not believed for longer than this. */
const TOKEN_LIFE_S_MAX = 86_400;

interface SuppliedToken {
  readonly token: string;
  readonly expiresInS: number;
}

export interface PublicAccountParts {
  readonly store: PublicAccountRows;
  readonly grants: GrantRows;
  readonly vault: Vault;
  readonly clock: Clock;
  /** The built-in platform's account of a Faregate account; absent where that platform is off. */
  readonly openSandbox:
    | ((accountId: string) => Promise<{ appid: string; secret: string }>)
    | undefined;
  /** Where new public accounts are that name no place; null for the built-in platform. */
  readonly platformUrl: string | null;
}

function unknown(): Fault {
  return new Fault("not_found", "There is no such public account.");
}

function taken(name: string): Fault {
  return new Fault("invalid_value", `There is a public account named "${name}" already.`, {
    param: "name",
  });
}

/** The built-in platform is in this process: a proxy for it would be named and never used. */
function checkProxy(platformUrl: string | null, proxyUrl: string | null | undefined): void {
  if (platformUrl !== null || typeof proxyUrl !== "string") return;
  const message = "The built-in platform is called directly; leave it out.";
  throw new Fault("invalid_value", message, { param: "proxy_url" });
}

/** One of the built-in platform, with the real one that its drafts could go to instead. */
function withRealBeside(found: PublicAccount, all: readonly PublicAccount[]): PublicAccount {
  if (found.kind !== "built-in") return found;
  const real = all.find(({ kind }) => kind === "wechat");
  return real ? { ...found, realBeside: real.name } : found;
}

/** The public accounts of a Faregate account. */
export class PublicAccounts {
  readonly #parts: PublicAccountParts;

  constructor(parts: PublicAccountParts) {
    this.#parts = parts;
  }

  /** An account that has none gets the built-in platform's, so that drafts work at once. */
  async list(accountId: string): Promise<readonly PublicAccount[]> {
    const { store, openSandbox } = this.#parts;
    const found = await store.list(accountId);
    if (!openSandbox) return found;
    if (found.length > 0) return Promise.all(found.map((each) => this.#withSecret(each)));
    const { appid, secret } = await openSandbox(accountId);
    const form = { name: SANDBOX_NAME, appid, secret, platformUrl: null, publishAllowed: true };
    await store.add(this.#row(accountId, form));
    // Somebody else may have been quicker; the name is there once in either case.
    return store.list(accountId);
  }

  /** The built-in platform tells the secret of its own account again where ours cannot be opened any more. */
  async #withSecret(account: PublicAccount): Promise<PublicAccount> {
    const { store, vault, openSandbox } = this.#parts;
    if (account.kind !== "built-in" || !openSandbox) return account;
    if (openedBy(vault, account.sealedSecret) !== undefined) return account;
    const { appid, secret } = await openSandbox(account.accountId);
    if (appid !== account.appid) return account;
    const sealedSecret = vault.seal(secret);
    await store.replaceSecret(account, sealedSecret);
    return { ...account, sealedSecret };
  }

  /** By id or name, or the default one. */
  async find(accountId: string, idOrName: string | undefined): Promise<PublicAccount> {
    const all = await this.list(accountId);
    const found =
      idOrName === undefined
        ? (all.find(({ isDefault }) => isDefault) ?? all[0])
        : (all.find(({ id }) => id === idOrName) ?? all.find(({ name }) => name === idOrName));
    if (found) return withRealBeside(found, all);
    if (idOrName !== undefined) throw unknown();
    throw new Fault("not_found", "This account has no public account yet; add one first.");
  }

  async add(accountId: string, form: NewPublicAccount): Promise<PublicAccount> {
    const row = this.#row(accountId, form);
    const { ticket, refreshToken } = form.component ?? {};
    if (!(await this.#parts.store.add(row, this.#sealed(refreshToken)))) throw taken(form.name);
    if (ticket !== undefined) await this.supplyTicket(accountId, row.id, ticket);
    return this.find(accountId, row.id);
  }

  async change(accountId: string, id: string, change: PublicAccountChange): Promise<PublicAccount> {
    const { store } = this.#parts;
    const changed = (before: PublicAccount) => this.#changed(before, change);
    const refresh = this.#sealed(change.refreshToken);
    const outcome = await store.change(accountId, id, changed, refresh);
    if (outcome === "missing") throw unknown();
    if (outcome === "taken") throw taken(change.name ?? "");
    if (change.isDefault) await store.makeDefault(accountId, id);
    return this.find(accountId, id);
  }

  #changed(before: PublicAccount, change: PublicAccountChange): PublicAccount {
    checkProxy(before.platformUrl, change.proxyUrl);
    const access = changedAccess(before, change, this.#parts.vault);
    return {
      ...before,
      ...(access && { access }),
      name: change.name ?? before.name,
      sealedSecret: this.#sealed(change.secret) ?? before.sealedSecret,
      theme: change.theme === undefined ? before.theme : change.theme,
      author: change.author === undefined ? before.author : change.author,
      publishAllowed: change.publishAllowed ?? before.publishAllowed,
    };
  }

  async remove(accountId: string, id: string): Promise<void> {
    const { store, clock } = this.#parts;
    if (!(await store.find(accountId, id))) throw unknown();
    if (await store.remove(accountId, id, clock())) return;
    const message =
      "A draft of this public account is being sent, deleted or published; ask again.";
    throw new Fault("push_busy", message, { headers: { "retry-after": "5" } });
  }

  /** A token that somebody else keeps, for as long as it lasts. */
  async supplyToken(accountId: string, id: string, token: SuppliedToken): Promise<PublicAccount> {
    const { grants, vault, clock } = this.#parts;
    const account = await this.find(accountId, id);
    checkCredential(account, "supplied", "access_token");
    const untilMs = clock() + Math.min(token.expiresInS, TOKEN_LIFE_S_MAX) * 1000;
    await grants.saveToken(account.id, vault.seal(token.token), untilMs);
    return account;
  }

  /** What the platform pushes to a third-party platform; all of its public accounts here have it. */
  async supplyTicket(accountId: string, id: string, ticket: string): Promise<PublicAccount> {
    const { grants, vault, clock } = this.#parts;
    const account = await this.find(accountId, id);
    checkCredential(account, "component", "component_verify_ticket");
    const component = account.access?.componentAppid ?? "";
    await grants.saveTicket(accountId, component, vault.seal(ticket), clock());
    return account;
  }

  #sealed(text: string | undefined): string | undefined {
    return text === undefined ? undefined : this.#parts.vault.seal(text);
  }

  #row(accountId: string, form: NewPublicAccount): PublicAccount {
    const { vault, clock, platformUrl } = this.#parts;
    const entered = form.platformUrl === undefined ? platformUrl : form.platformUrl;
    const place = entered?.replace(/\/+$/, "") ?? null;
    checkProxy(place, form.proxyUrl);
    const access = newAccess(form, vault);
    return {
      ...(access && { access }),
      id: newId("pub_"),
      accountId,
      name: form.name,
      kind: place === null ? "built-in" : "wechat",
      appid: form.appid,
      sealedSecret: vault.seal(form.secret ?? ""),
      platformUrl: place,
      isDefault: form.isDefault ?? place !== null,
      theme: form.theme ?? null,
      author: form.author ?? null,
      publishAllowed: form.publishAllowed ?? false,
      createdAtMs: clock(),
    };
  }
}
