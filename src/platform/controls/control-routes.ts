import type { z } from "zod";
import type { Limits } from "../../config/config.ts";
import { readBoundedText } from "../../lib/bodies/bounded-body.ts";
import type { Answered, AnswerOf, AnswerSchema, Operation } from "../../lib/contract.ts";
import { Fault } from "../../lib/faults.ts";
import { checkFields } from "../../lib/json/json-body.ts";
import { UNBOUNDED, weighJson } from "../../lib/json/json-bounds.ts";
import type { Incoming, Route } from "../../lib/route.ts";
import { responseOf, type Sent, sentBy } from "../../lib/serve-operation.ts";
import type { PublicAccount } from "../account.ts";
import {
  ADD_FAULT,
  boundedFault,
  CHANGE_ACCOUNT,
  CLEAR_FAULTS,
  CREATE_ACCOUNT,
  DUMP_STATE,
  GIVE_TOKEN,
  LIST_ACCOUNTS,
  LIST_CALLS,
  LIST_FAULTS,
  PLAN_PUBLISHES,
  RESET_STATE,
  RESTORE_STATE,
  SET_CLOCK,
  SET_QUOTA,
  SHOW_CLOCK,
} from "../contract/controls.ts";
import type { Platform } from "../platform.ts";
import type { Publishing } from "../publishing/publishing.ts";
import type { StateRows } from "../tables/state.ts";
import { type Interruptions, interruptionOf } from "./interruptions.ts";
import type { SandboxClock } from "./sandbox-clock.ts";

interface ControlParts {
  readonly platform: Platform;
  readonly publishing: Publishing;
  readonly clock: SandboxClock;
  readonly interruptions: Interruptions;
  readonly state: StateRows;
  readonly limits: Pick<
    Limits,
    "platform_delay_ms_max" | "body_bytes_max" | "upload_ms" | "form_ms"
  >;
}

const OWNER = "test controls";

function accountToJson({
  createdAtMs,
  ...account
}: PublicAccount): AnswerOf<typeof CHANGE_ACCOUNT> {
  return account;
}

function noAccount(param: string): Fault {
  return new Fault("not_found", "There is no such public account.", { param });
}

type CallOf<Op> = Op extends Operation<infer Query, infer Body> ? ControlCall<Query, Body> : never;
type ControlCall<Query extends z.ZodObject, Body extends z.ZodType> = Sent<Query, Body> & {
  readonly incoming: Incoming;
};

async function createAccount({ platform }: ControlParts, call: CallOf<typeof CREATE_ACCOUNT>) {
  const { owner, ...form } = await call.body();
  const made = await platform.accounts.create(owner ?? OWNER, form);
  return { ...accountToJson(made.account), secret: made.secret };
}

async function changeAccount({ platform }: ControlParts, call: CallOf<typeof CHANGE_ACCOUNT>) {
  const { appid = "" } = call.incoming.params;
  const changed = await platform.accounts.set(appid, await call.body());
  if (changed === undefined) throw noAccount("appid");
  return accountToJson(changed);
}

function clockToJson({ clock }: ControlParts) {
  return { offset_ms: clock.offsetMs, now: new Date(clock.now()).toISOString() };
}

async function setClock(parts: ControlParts, call: CallOf<typeof SET_CLOCK>) {
  parts.clock.offsetMs = (await call.body()).offset_ms;
  // What has become due by that is done now, not when somebody next looks.
  await parts.publishing.proceed();
  return clockToJson(parts);
}

function faultsToJson({ interruptions }: ControlParts) {
  const data = interruptions.list().map(({ route, left, delayMs, afterCommit, effect }) => ({
    route,
    left,
    delay_ms: delayMs,
    after_commit: afterCommit,
    ...effect,
  }));
  return { data };
}

async function addFault(parts: ControlParts, call: CallOf<typeof ADD_FAULT>) {
  const form = checkFields(boundedFault(parts.limits.platform_delay_ms_max), await call.body());
  parts.interruptions.add(interruptionOf(form), form.count);
  return faultsToJson(parts);
}

async function listCalls({ platform }: ControlParts, call: CallOf<typeof LIST_CALLS>) {
  const { appid, limit } = call.query();
  const calls = await platform.calls.list(appid, limit);
  return { data: calls.map((record) => ({ ...record, at: new Date(record.at).toISOString() })) };
}

async function setQuota({ platform, clock }: ControlParts, call: CallOf<typeof SET_QUOTA>) {
  const { appid, name, used } = await call.body();
  if ((await platform.accounts.find(appid)) === undefined) throw noAccount("appid");
  await platform.quotas.setUsed(appid, name, used, clock.now());
  return { appid, name, used };
}

async function giveToken({ platform }: ControlParts, call: CallOf<typeof GIVE_TOKEN>) {
  const { appid, kind, sets } = await call.body();
  if ((await platform.accounts.find(appid)) === undefined) throw noAccount("appid");
  if (kind === "third-party") {
    const { token, expiresInS, refreshToken } = await platform.tokens.authorize(appid, sets);
    return { access_token: token, expires_in: expiresInS, refresh_token: refreshToken };
  }
  const { token, expiresInS } =
    kind === "stable"
      ? await platform.tokens.stable(appid, false)
      : await platform.tokens.cloud(appid);
  return { access_token: token, expires_in: expiresInS };
}

async function planPublishes({ publishing }: ControlParts, call: CallOf<typeof PLAN_PUBLISHES>) {
  const form = await call.body();
  const plan = { outcome: form.status, failed: form.fail_idx, delayMs: form.delay_ms };
  publishing.plan(Array.from({ length: form.count }, () => plan));
  return { planned: form.count };
}

async function dump({ state, limits }: ControlParts) {
  if ((await state.fileBytes()) > limits.body_bytes_max / 2) {
    throw new Fault("invalid_value", "There are too many files for a dump that can be restored.");
  }
  return await state.dump();
}

/** A dump is larger than a form may be, and is read by itself. */
async function restore({ state, limits }: ControlParts, incoming: Incoming) {
  const bounds = { bytesMax: limits.body_bytes_max, withinMs: limits.upload_ms };
  const text = await readBoundedText(incoming, bounds);
  incoming.memory?.growTo(weighJson(text, UNBOUNDED));
  let sent: unknown;
  try {
    sent = JSON.parse(text);
  } catch (thrown) {
    throw new Fault("invalid_json", "The request body is not valid JSON.", { cause: thrown });
  }
  const read = RESTORE_STATE.body?.safeParse(sent);
  if (!read?.success || !(await state.restore(read.data))) {
    throw new Fault(
      "invalid_value",
      "This is not a dump of this installation's platform, of this version and with the secret that it has now.",
    );
  }
  return { restored: true as const };
}

async function reset({ state, interruptions, publishing, clock }: ControlParts) {
  await state.reset();
  interruptions.clear();
  publishing.forgetPlans();
  clock.offsetMs = 0;
  return { reset: true as const };
}

/** What only tests need. Whoever mounts these sees to it that only operators get here. */
export function controlRoutes(parts: ControlParts): readonly Route[] {
  const at = <Query extends z.ZodObject, Body extends z.ZodType, Answer extends AnswerSchema>(
    operation: Operation<Query, Body, Answer>,
    answer: (parts: ControlParts, call: ControlCall<Query, Body>) => Promise<Answered<Answer>>,
  ): Route => ({
    method: operation.method,
    path: operation.path,
    operation,
    async handle(incoming) {
      const call = { ...sentBy(operation, incoming, parts.limits.form_ms), incoming };
      return responseOf(operation, await answer(parts, call));
    },
  });
  return [
    at(LIST_ACCOUNTS, async ({ platform }) => ({
      data: (await platform.accounts.list()).map(accountToJson),
    })),
    at(CREATE_ACCOUNT, createAccount),
    at(CHANGE_ACCOUNT, changeAccount),
    at(SHOW_CLOCK, async () => clockToJson(parts)),
    at(SET_CLOCK, setClock),
    at(LIST_FAULTS, async () => faultsToJson(parts)),
    at(ADD_FAULT, addFault),
    at(CLEAR_FAULTS, async () => {
      parts.interruptions.clear();
      return faultsToJson(parts);
    }),
    at(LIST_CALLS, listCalls),
    at(SET_QUOTA, setQuota),
    at(GIVE_TOKEN, giveToken),
    at(PLAN_PUBLISHES, planPublishes),
    at(DUMP_STATE, dump),
    at(RESTORE_STATE, (_, { incoming }) => restore(parts, incoming)),
    at(RESET_STATE, reset),
  ];
}
