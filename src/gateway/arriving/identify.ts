import type { PresentedKey } from "../../accounts/account.ts";
import { authenticate } from "../../accounts/authenticate.ts";
import type { InLine } from "../../admission/admission.ts";
import type { MaybePromise } from "../../lib/maybe-promise.ts";
import type { Incoming, LeaveSignal, Sent } from "../../lib/route.ts";
import { TimeBudget } from "../../lib/threads/time-budget.ts";
import type { Caller } from "../admitted-request.ts";
import { type FaceName, KEY_PARAMETER } from "../faces.ts";
import type { Services } from "../services.ts";
import type { RequestTrace } from "../tracing/request-trace.ts";

/** Where clients of other vendors' wires put their key. On all other paths only Bearer counts. */
const KEY_HEADERS: Readonly<Record<FaceName, string | undefined>> = {
  openai: undefined,
  messages: "x-api-key",
  gemini: "x-goog-api-key",
};

/** Endpoints that have a face of their own. */
const FACES: Readonly<Record<string, FaceName>> = { messages: "messages", gemini: "gemini" };

/** As the header `Authorization` would have it, whichever way this face's clients show a key. */
function presentedKey(incoming: Incoming<Sent>, face: FaceName): string | null {
  const { headers } = incoming.request;
  const bearer = headers.get("authorization");
  const header = KEY_HEADERS[face];
  if (bearer !== null || header === undefined) return bearer;
  const own = headers.get(header);
  const key = own === null && face === "gemini" ? keyInAddress(incoming) : own;
  return key === null ? null : `Bearer ${key}`;
}

function keyInAddress({ url }: Incoming<Sent>): string | null {
  return url.searchParams.get(KEY_PARAMETER);
}

/** How a face's clients are told to show a key. */
function wayOf(face: FaceName): string | undefined {
  const header = KEY_HEADERS[face];
  return header && `'${header}: <key>'`;
}

/** Who calls, on which endpoint. The key is checked before a byte of the body is read. */
export function identify(
  services: Pick<Services, "accounts" | "clock" | "watchdog" | "limits">,
  endpoint: string,
  incoming: Incoming<Sent>,
  face: FaceName = FACES[endpoint] ?? "openai",
  trace?: RequestTrace,
): MaybePromise<Caller> {
  const { requestId } = incoming;
  const createdAtMs = services.clock();
  const startedAtMs = services.watchdog.now();
  const timeBudget = new TimeBudget(services.limits.admission_storage_ms);
  const key = keyOf(services, incoming, face, timeBudget);
  const asked = { requestId, endpoint, createdAtMs, startedAtMs, timeBudget, trace };
  if (!(key instanceof Promise)) return callerOf(asked, key, startedAtMs);
  return callerOnceKnown(services, asked, key);
}

async function callerOnceKnown(
  { watchdog }: Pick<Services, "watchdog">,
  asked: Omit<Caller, "key" | "knownAtMs">,
  key: Promise<PresentedKey>,
): Promise<Caller> {
  return callerOf(asked, await key, watchdog.now());
}

function callerOf(
  asked: Omit<Caller, "key" | "knownAtMs">,
  key: PresentedKey,
  knownAtMs: number,
): Caller {
  const { requestId, endpoint, createdAtMs, startedAtMs, timeBudget, trace } = asked;
  return { requestId, key, endpoint, createdAtMs, startedAtMs, knownAtMs, timeBudget, trace };
}

/** Whether what it waited for took so long that its key, or what that may do, may have been changed meanwhile. */
export function isLate(
  { watchdog, limits }: Pick<Services, "watchdog" | "limits">,
  { knownAtMs }: Pick<Caller, "knownAtMs">,
): boolean {
  return watchdog.now() - knownAtMs > limits.key_fresh_ms;
}

/** The same caller by what its key is now. Throws as at first where that may not be used any more. */
export async function identifyAgain(
  services: Pick<Services, "accounts" | "clock" | "watchdog">,
  caller: Caller,
  incoming: Incoming<Sent>,
  face: FaceName = FACES[caller.endpoint] ?? "openai",
): Promise<Caller> {
  // That was a wait for the client, for another request or for money, and not for storage.
  caller.timeBudget.renew();
  const key = await keyOf(services, incoming, face, caller.timeBudget);
  return { ...caller, key, knownAtMs: services.watchdog.now() };
}

/** What a request goes by that has to wait for money. */
export class CallerInLine implements InLine {
  readonly #services: Pick<Services, "accounts" | "clock" | "watchdog" | "limits">;
  readonly #incoming: Incoming<Sent>;
  readonly #face: FaceName | undefined;
  #known: Caller;

  constructor(
    services: Pick<Services, "accounts" | "clock" | "watchdog" | "limits">,
    caller: Caller,
    incoming: Incoming<Sent>,
    face: FaceName | undefined,
  ) {
    this.#services = services;
    this.#known = caller;
    this.#incoming = incoming;
    this.#face = face;
  }

  get signal(): LeaveSignal {
    return this.#incoming.request.signal;
  }

  /** Throws where its key may not be used any more. */
  async mayStay(): Promise<void> {
    if (!isLate(this.#services, this.#known)) return;
    this.#known = await identifyAgain(this.#services, this.#known, this.#incoming, this.#face);
  }
}

/** The key that a caller has shown, if it may be used. */
export function keyOf(
  services: Pick<Services, "accounts" | "clock">,
  incoming: Incoming<Sent>,
  face: FaceName = "openai",
  timeBudget?: TimeBudget,
): MaybePromise<PresentedKey> {
  const shown = presentedKey(incoming, face);
  const { accounts, clock } = services;
  return authenticate(accounts, clock, shown, incoming, wayOf(face), timeBudget);
}
