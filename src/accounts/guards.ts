import type { Answered, Operation } from "../lib/contract.ts";
import { Fault } from "../lib/faults.ts";
import type { Incoming, Route } from "../lib/route.ts";
import type { Sent } from "../lib/serve-operation.ts";
import { type OperatorToken, TOKEN_SCOPES } from "./people/person.ts";

/** What a person may do in an account, the least first. */
export const ROLES = ["viewer", "member", "owner"] as const;
export type Role = (typeof ROLES)[number];

export function isAtLeast(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}

/** Who calls the console: a person with a session, or a program with an operator's token. */
export interface Principal {
  /** Absent for a token. */
  readonly userId: string | undefined;
  /** Words for the audit log: an e-mail address, or the name of a token. */
  readonly name: string;
  /** Runs this installation: may do everything in every account. */
  readonly operator: boolean;
  /** What a token is, where one calls: it may only what its scopes say. */
  readonly token?: Pick<OperatorToken, "scopes" | "ownerId" | "expiresAtMs"> | undefined;
}

/** Who answers for what a principal makes: nobody for a token of before these had an owner. */
export function personOf({ userId, token }: Principal): string | undefined {
  return userId ?? token?.ownerId ?? undefined;
}

/** A call of nobody in particular. */
export interface OpenCall {
  readonly incoming: Incoming;
}

export interface Call extends OpenCall {
  readonly principal: Principal;
}

export interface AccountCall extends Call {
  readonly accountId: string;
  /** An operator counts as owner. */
  readonly role: Role;
}

/** Of whoever was let in before what they send was there. */
export interface Judged {
  /**
   * Asks anew who it is. What is sent may come drop by drop: nobody changes anything by it who was shut out
   * meanwhile, or by rights that are not the same any more.
   */
  judgeAgain(): Promise<void>;
}

/** Who was let in with other rights than they have by now hears this. */
export function rightsChanged(): Fault {
  return new Fault(
    "permission_denied",
    "Your rights changed while the request was on its way. Send it again.",
  );
}

/**
 * Whether it is an operator in person who calls. Who runs the installation is theirs alone to say: a token
 * ends or is revoked, and whoever it had made an operator would be there still.
 */
export function isOperatorInPerson({ operator, token }: Principal): boolean {
  return operator && !token;
}

/** Whether a principal may all that an owner may, and for as long: a person, or a token without bounds. */
function mayAsOwners({ token }: Principal): boolean {
  if (!token) return true;
  return token.expiresAtMs === null && TOKEN_SCOPES.every((scope) => token.scopes.includes(scope));
}

/** An owner has money and stays, so no token makes one that lacks a scope or expires. */
export function checkMayGive(principal: Principal, role: Role | undefined): void {
  if (role !== "owner" || mayAsOwners(principal)) return;
  throw new Fault(
    "permission_denied",
    "A token makes owners only if it has every scope and does not expire; choose another role, or sign in.",
    { param: "role" },
  );
}

/** A call of an operation: who calls, and what was sent. */
export type CallOf<Op, Of extends OpenCall = Call> =
  Op extends Operation<infer Query, infer Body> ? Of & Judged & Sent<Query, Body> : never;
export type AccountCallOf<Op> = CallOf<Op, AccountCall>;
export type OpenCallOf<Op> = CallOf<Op, OpenCall>;

export type Handle<Op extends Operation, Of extends OpenCall> = (
  call: CallOf<Op, Of>,
) => Promise<Answered<Op["answer"]>>;

/**
 * Makes routes of the console of their contracts, which open only to those who may enter. What is not for
 * the caller is not there: another account's id is a 404.
 */
export interface Guards {
  /** For anybody: who may is for the handler to find out. */
  open<Op extends Operation>(operation: Op, handle: Handle<Op, OpenCall>): Route;
  /** For anybody with a session or a token. */
  signedIn<Op extends Operation>(operation: Op, handle: Handle<Op, Call>): Route;
  /** For those whose path begins with `/api/accounts/:account`. */
  account<Op extends Operation>(operation: Op, least: Role, handle: Handle<Op, AccountCall>): Route;
  operator<Op extends Operation>(operation: Op, handle: Handle<Op, Call>): Route;
  /** Lets operators through to a route that is made elsewhere. */
  operatorOnly(route: Route): Route;
  /** The same for what changes money: a token needs the scope for it, and not the one to write. */
  readonly money: Pick<Guards, "account" | "operator">;
}
