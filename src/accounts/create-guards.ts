import type { Limits } from "../config/config.ts";
import { withCheckedEnd } from "../lib/bodies/bounded-body.ts";
import type { Caller, Method, Operation } from "../lib/contract.ts";
import { Fault } from "../lib/faults.ts";
import type { Incoming, Route } from "../lib/route.ts";
import { responseOf, sentBy } from "../lib/serve-operation.ts";
import type { Account } from "./account.ts";
import { withApiHeaders } from "./api-headers.ts";
import {
  type AccountCall,
  type Call,
  type CallOf,
  type Guards,
  type Handle,
  isAtLeast,
  type OpenCall,
  type Principal,
  type Role,
  rightsChanged,
} from "./guards.ts";
import type { Memberships } from "./people/members.ts";
import { type OperatorTokens, TokenRefusal } from "./people/operator-tokens.ts";
import type { TokenScope } from "./people/person.ts";
import { checkSameOrigin } from "./same-origin.ts";
import type { SignIn } from "./sign-in/sign-in.ts";

interface GuardParts {
  readonly signIn: Pick<SignIn, "session" | "origins">;
  readonly tokens: Pick<OperatorTokens, "find">;
  readonly memberships: Pick<Memberships, "find" | "isOperator">;
  findAccount(id: string): Promise<Account | undefined>;
  readonly limits: Pick<Limits, "form_ms">;
}

/** A caller who is known, and the cookies that go back to them. */
interface Known {
  readonly principal: Principal;
  readonly cookies: readonly string[];
}

const SAFE_METHODS = ["GET", "HEAD", "OPTIONS"];

function notSignedIn(message: string): Fault {
  return new Fault("not_signed_in", message, { headers: { "www-authenticate": "Bearer" } });
}

function refusedToken(thrown: unknown): never {
  throw thrown instanceof TokenRefusal ? notSignedIn(thrown.message) : thrown;
}

/** People may by their role; of a token's scopes one must be for this, or for this member of a body. */
export function checkScope({ token }: Principal, scope: TokenScope, member?: string): void {
  if (!token || token.scopes.includes(scope)) return;
  const what = member === undefined ? "This call" : `Setting '${member}'`;
  throw new Fault(
    "permission_denied",
    `${what} needs a token with the scope '${scope}'; this one has ${token.scopes.join(", ")}.`,
    member === undefined ? {} : { param: member },
  );
}

async function fromToken({ tokens }: GuardParts, header: string): Promise<Known> {
  const [, secret] = /^Bearer ([\w-]{1,200})$/.exec(header) ?? [];
  const token = secret === undefined ? undefined : await tokens.find(secret).catch(refusedToken);
  if (!token) {
    throw notSignedIn(
      "This is not an operator token of this installation; it may have been revoked.",
    );
  }
  const principal = { userId: undefined, name: `token ${token.name}`, operator: true, token };
  return { principal, cookies: [] };
}

async function fromSession(parts: GuardParts, incoming: Incoming): Promise<Known> {
  const { request } = incoming;
  const changes = !SAFE_METHODS.includes(request.method);
  const person = await parts.signIn.session(incoming);
  if (!person) throw notSignedIn("Sign in first, or send an operator token.");
  if (changes) checkSameOrigin(request, parts.signIn.origins.trusted);
  const operator = await parts.memberships.isOperator(person.userId);
  return {
    principal: { userId: person.userId, name: person.email, operator },
    cookies: person.cookies,
  };
}

function identify(parts: GuardParts, incoming: Incoming): Promise<Known> {
  const header = incoming.request.headers.get("authorization");
  return header === null ? fromSession(parts, incoming) : fromToken(parts, header);
}

async function roleIn(
  { findAccount, memberships }: GuardParts,
  { userId, operator }: Principal,
  accountId: string,
): Promise<Role> {
  if (operator && (await findAccount(accountId))) return "owner";
  const membership = userId === undefined ? undefined : await memberships.find(accountId, userId);
  if (!membership) throw new Fault("not_found", "There is no such account.", { param: "account" });
  return membership.role;
}

function allow(role: Role, least: Role): void {
  if (isAtLeast(role, least)) return;
  throw new Fault("permission_denied", `This call needs the role ${least}; yours is ${role}.`);
}

/** Handlers go by the rights with which somebody was let in, so these must be the same still. */
function checkSameRights(before: Partial<AccountCall>, now: Partial<AccountCall>): void {
  const wasOperator = before.principal?.operator;
  const isOperator = now.principal?.operator;
  if (isOperator !== wasOperator || now.role !== before.role) throw rightsChanged();
}

/** Counts what is sent for the account that it is about or, where there is none, for the caller. */
function nameSender({ incoming, accountId, principal }: OpenCall & Partial<AccountCall>): void {
  if (!principal) return;
  const { userId = principal.name } = principal;
  incoming.memory?.belongsTo(accountId ? `account ${accountId}` : `person ${userId}`);
}

/** Handles a call of somebody; `again` asks once more who it is, as that is by then. */
type HandleCall<Of> = (call: Of, again: () => Promise<Of>) => Promise<Response>;

type MakeRoute<Of extends OpenCall> = (
  method: Method,
  path: string,
  handle: HandleCall<Of>,
) => Route;

const openRoute: MakeRoute<OpenCall> = (method, path, handle) => ({
  ...{ method, path, hosts: "own" },
  handle: (incoming) => withApiHeaders(() => handle({ incoming }, async () => ({ incoming }))),
});

/** By which way somebody comes, who of them is let in, and how long what they send may take. */
interface Entrance<In extends OpenCall, Of extends OpenCall> {
  readonly route: MakeRoute<In>;
  readonly letIn: (call: In) => Promise<Of>;
  readonly formMs: number;
  readonly least: Caller["least"];
  /** The scope that a token needs to change something; absent if no token is asked for. */
  readonly changeScope?: TokenScope;
}

function callerOf(
  { least, changeScope }: Pick<Entrance<OpenCall, OpenCall>, "least" | "changeScope">,
  method: Method,
): Caller {
  if (!changeScope) return { least };
  return { least, scope: SAFE_METHODS.includes(method) ? "read" : changeScope };
}

/** Guards whose changes take this scope of a token; all of them take the one to read for looking. */
function guardsFor(parts: GuardParts, changeScope: TokenScope): Omit<Guards, "money"> {
  const enter = async (incoming: Incoming, method: Method): Promise<Known> => {
    const known = await identify(parts, incoming);
    checkScope(known.principal, SAFE_METHODS.includes(method) ? "read" : changeScope);
    return known;
  };
  const route: MakeRoute<Call> = (method, path, handle) =>
    openRoute(method, path, async ({ incoming }) => {
      const { principal, cookies } = await enter(incoming, method);
      const again = async () => {
        const { principal } = await enter(incoming, method);
        return { incoming, principal };
      };
      const response = await handle({ incoming, principal }, again);
      // Those of the handler come last, since of two with one name the last counts.
      const own = response.headers.getSetCookie();
      response.headers.delete("set-cookie");
      for (const cookie of [...cookies, ...own]) response.headers.append("set-cookie", cookie);
      return response;
    });
  const inAccount = async (call: Call, least: Role): Promise<AccountCall> => {
    const accountId = call.incoming.params.account ?? "";
    const role = await roleIn(parts, call.principal, accountId);
    allow(role, least);
    return { ...call, accountId, role };
  };
  const asOperator = (call: Call): Call => {
    // What is only for operators is not there for others.
    if (!call.principal.operator) throw new Fault("not_found", "There is no such page.");
    return call;
  };
  const { form_ms: formMs } = parts.limits;
  const anybody = {
    route: openRoute,
    letIn: async (call: OpenCall) => call,
    formMs,
    least: "anybody",
  } as const;
  const known = <Of extends Call>(least: Caller["least"], letIn: (call: Call) => Promise<Of>) => ({
    ...{ route, letIn, formMs, least, changeScope },
  });
  return {
    open: (operation, handle) => served(anybody, operation, handle),
    signedIn: (operation, handle) => {
      const entrance = known("signed in", async (call) => call);
      return served(entrance, operation, handle);
    },
    account: (operation, least, handle) => {
      const entrance = known(least, (call) => inAccount(call, least));
      return served(entrance, operation, handle);
    },
    operator: (operation, handle) => {
      const entrance = known("operator", async (call) => asOperator(call));
      return served(entrance, operation, handle);
    },
    operatorOnly: (made) => ({
      ...made,
      caller: callerOf({ least: "operator", changeScope }, made.method),
      ...route(made.method, made.path, async (call, again) => {
        const { incoming } = asOperator(call);
        nameSender(call);
        return made.handle(judgedAtEnd(incoming, async () => void asOperator(await again())));
      }),
    }),
  };
}

/** What was sent, for a route that reads it by itself: it ends only once who sent it was judged again. */
function judgedAtEnd(incoming: Incoming, judge: () => Promise<void>): Incoming {
  const { request, requestId, url, params } = incoming;
  if (!request.body) return incoming;
  const { method, headers, signal } = request;
  const body = withCheckedEnd(request.body, judge);
  return {
    request: new Request(request.url, { method, headers, body, signal }),
    ...(incoming.memory && { memory: incoming.memory }),
    ...{ requestId, url, params },
    keepOpen: () => incoming.keepOpen(),
    isBeingAnswered: () => incoming.isBeingAnswered(),
    address: () => incoming.address(),
  };
}

/** Whoever is let in has what they sent read by the contract, and is answered by it. */
function served<Op extends Operation, In extends OpenCall, Of extends OpenCall>(
  entrance: Entrance<In, Of>,
  operation: Op,
  handle: Handle<Op, Of>,
): Route {
  const { route, letIn, formMs } = entrance;
  const made = route(operation.method, operation.path, async (call, again) => {
    const entered = await letIn(call);
    nameSender(entered);
    const sent = sentBy(operation, call.incoming, formMs);
    const judgeAgain = async () => checkSameRights(entered, await letIn(await again()));
    const body = async () => {
      const read = await sent.body();
      if (operation.body) await judgeAgain();
      return read;
    };
    const whole = { ...entered, ...sent, body, judgeAgain } as CallOf<Op, Of>;
    return responseOf(operation, await handle(whole));
  });
  return { ...made, operation, caller: callerOf(entrance, operation.method) };
}

/** The guards of the console's API. */
export function createGuards(parts: GuardParts): Guards {
  return { ...guardsFor(parts, "write"), money: guardsFor(parts, "money") };
}
