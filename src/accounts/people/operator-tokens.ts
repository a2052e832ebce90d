import type { Clock } from "../../lib/clock.ts";
import { Fault } from "../../lib/faults.ts";
import { newId } from "../../lib/ids.ts";
import type { AuditLog } from "../audit.ts";
import { type Principal, personOf } from "../guards.ts";
import { hashSecret, newSecret, OPERATOR_TOKEN_PREFIX } from "../keys/secret.ts";
import type { OperatorTokensTable } from "../tables/operator-access.ts";
import type { Memberships } from "./members.ts";
import { type OperatorToken, TOKEN_SCOPES, type TokenScope } from "./person.ts";

interface TokenParts {
  readonly store: OperatorTokensTable;
  readonly memberships: Pick<Memberships, "isOperator" | "emailOf">;
  readonly audit: AuditLog;
  readonly clock: Clock;
}

/** A new token as somebody asks for it: what is not said is as wide as whoever makes it. */
interface TokenForm {
  readonly name: string;
  readonly expiresAtMs?: number | null | undefined;
  readonly scopes?: readonly TokenScope[] | undefined;
}

/** Why a token is not taken, to be told to whoever sent it. */
export class TokenRefusal extends Error {
  override readonly name = "TokenRefusal";
}

function wider(param: string, message: string): Fault {
  return new Fault("permission_denied", message, { param });
}

/** What a new token may, where a token makes it: no more, and no longer, than that one. */
function within({ token }: Principal, form: TokenForm) {
  const scopes = form.scopes ?? token?.scopes ?? TOKEN_SCOPES;
  const expiresAtMs = form.expiresAtMs ?? token?.expiresAtMs ?? null;
  if (token && !scopes.every((scope) => token.scopes.includes(scope))) {
    throw wider(
      "scopes",
      `A token gives no scope that it lacks; it has ${token.scopes.join(", ")}.`,
    );
  }
  const until = token?.expiresAtMs ?? null;
  if (until !== null && (expiresAtMs ?? Number.POSITIVE_INFINITY) > until) {
    throw wider("expires_at", "A token makes none that expires after it.");
  }
  return { scopes, expiresAtMs };
}

/** Secrets with which programs do what the operator may do. */
export class OperatorTokens {
  readonly #parts: TokenParts;

  constructor(parts: TokenParts) {
    this.#parts = parts;
  }

  /** The secret is seen here and never again. */
  async create(
    form: TokenForm,
    principal: Principal,
  ): Promise<{ token: OperatorToken; secret: string }> {
    const { store, clock } = this.#parts;
    if (typeof form.expiresAtMs === "number" && form.expiresAtMs <= clock()) {
      const message = "This time has passed; choose a later one.";
      throw new Fault("invalid_value", message, { param: "expires_at" });
    }
    const secret = newSecret(OPERATOR_TOKEN_PREFIX);
    const token: OperatorToken = {
      ...within(principal, form),
      id: newId("otk_"),
      name: form.name,
      lastFour: secret.slice(-4),
      createdBy: principal.name,
      createdAtMs: clock(),
      lastUsedAtMs: null,
      ownerId: personOf(principal) ?? null,
    };
    await store.add({ ...token, hash: hashSecret(secret) });
    return { token, secret };
  }

  /** Throws why a token that is known is not taken. */
  async find(secret: string): Promise<OperatorToken | undefined> {
    const { store, memberships, clock } = this.#parts;
    if (!secret.startsWith(OPERATOR_TOKEN_PREFIX)) return undefined;
    const token = await store.use(hashSecret(secret), clock());
    if (!token) return undefined;
    if (token.expiresAtMs !== null && token.expiresAtMs <= clock()) {
      await this.#noteExpiry(token);
      throw new TokenRefusal("This operator token has expired. Make a new one.");
    }
    // Asked at each call: whoever is put out takes their tokens along at once.
    if (token.ownerId !== null && !(await memberships.isOperator(token.ownerId))) {
      throw new TokenRefusal("The owner of this operator token is no operator any more.");
    }
    return token;
  }

  /** Once for each token: a program that goes on with it would fill the log. */
  async #noteExpiry({ id, name, expiresAtMs }: OperatorToken): Promise<void> {
    const { store, audit } = this.#parts;
    if (!(await store.noteExpiry(id))) return;
    const expired_at = new Date(expiresAtMs ?? 0).toISOString();
    const principal = { userId: undefined, name: `token ${name}`, operator: false };
    const entry = { principal, accountId: null, action: "token.expire", target: id };
    await audit.write({ ...entry, detail: { expired_at } });
  }

  async ownerOf({ ownerId }: OperatorToken): Promise<{ id: string; email: string | null } | null> {
    if (ownerId === null) return null;
    return { id: ownerId, email: (await this.#parts.memberships.emailOf(ownerId)) ?? null };
  }

  list(): Promise<readonly OperatorToken[]> {
    return this.#parts.store.list();
  }

  revoke(id: string): Promise<boolean> {
    return this.#parts.store.revoke(id, this.#parts.clock());
  }
}
