import { z } from "zod";
import { readBounded } from "../../lib/bounded-body.ts";
import { Fault } from "../../lib/faults.ts";
import { readJson } from "../../lib/json/json-body.ts";
import type { Incoming, Route } from "../../lib/route.ts";
import { decodeUtf8 } from "../../lib/utf8.ts";
import type { PublicAccount } from "../account.ts";
import type { AccountCredentials } from "../accounts.ts";
import type { Platform } from "../platform.ts";
import type { Publishing } from "../publishing/publishing.ts";
import type { StateRows } from "../tables/state.ts";
import {
  ACCOUNT_FORM,
  accountChanges,
  CLOCK_FORM,
  faultForm,
  interruptionOf,
  NEW_ACCOUNT_FORM,
  PUBLISH_FORM,
  QUOTA_FORM,
  TOKEN_FORM,
} from "./control-forms.ts";
import type { Interruptions } from "./interruptions.ts";
import type { SandboxClock } from "./sandbox-clock.ts";

interface ControlParts {
  readonly platform: Platform;
  readonly publishing: Publishing;
  readonly clock: SandboxClock;
  readonly interruptions: Interruptions;
  readonly state: StateRows;
  /** The longest wait of a call that can be ordered. */
  readonly delayMsMax: number;
  /** The largest dump that is made and taken back. */
  readonly stateBytesMax: number;
}

type Handle = (parts: ControlParts, incoming: Incoming) => Promise<Response>;

const CALLS_MAX = 1_000;
const CALLS_DEFAULT = 100;
const OWNER = "test controls";

/** Rows of tables; what they must be is known where the tables are. */
const STATE_FORM = z.record(
  z.string(),
  z.array(z.record(z.string(), z.union([z.string(), z.number(), z.null()]))),
);

function accountToWire(account: PublicAccount) {
  return {
    appid: account.appid,
    owner: account.owner,
    name: account.name,
    type: account.type,
    verified: account.verified,
    comments: account.commentRight,
    product: account.productRight,
    networks: account.ipList,
    frozen: account.frozen,
    callback: account.callbackUrl ?? null,
  };
}

function withSecret({ account, secret }: AccountCredentials) {
  return { ...accountToWire(account), secret };
}

function noAccount(param: string): Fault {
  return new Fault("not_found", "There is no such public account.", { param });
}

const listAccounts: Handle = async ({ platform }) =>
  Response.json({ data: (await platform.accounts.list()).map(accountToWire) });

const createAccount: Handle = async ({ platform }, { request }) => {
  const { owner, ...form } = await readJson(request, NEW_ACCOUNT_FORM);
  const made = await platform.accounts.create(owner ?? OWNER, accountChanges(form));
  return Response.json(withSecret(made), { status: 201 });
};

const changeAccount: Handle = async ({ platform }, { request, params }) => {
  const form = await readJson(request, ACCOUNT_FORM);
  const changed = await platform.setAccount(params.appid ?? "", accountChanges(form));
  if (changed === undefined) throw noAccount("appid");
  return Response.json(accountToWire(changed));
};

function showClock({ clock }: ControlParts): Response {
  return Response.json({ offset_ms: clock.offsetMs, now: new Date(clock.now()).toISOString() });
}

const setClock: Handle = async (parts, { request }) => {
  parts.clock.offsetMs = (await readJson(request, CLOCK_FORM)).offset_ms;
  // What has become due by that is done now, not when somebody next looks.
  await parts.publishing.proceed();
  return showClock(parts);
};

function showFaults({ interruptions }: ControlParts, status = 200): Response {
  const data = interruptions.list().map(({ interruption, left }) => ({
    route: interruption.route,
    left,
    delay_ms: interruption.delayMs,
    after_commit: interruption.afterCommit,
    ...interruption.effect,
  }));
  return Response.json({ data }, { status });
}

const addFault: Handle = async (parts, { request }) => {
  const form = await readJson(request, faultForm(parts.delayMsMax));
  parts.interruptions.add(interruptionOf(form), form.count);
  return showFaults(parts, 201);
};

const clearFaults: Handle = async (parts) => {
  parts.interruptions.clear();
  return showFaults(parts);
};

const listCalls: Handle = async ({ platform }, { url }) => {
  const limit = Number(url.searchParams.get("limit") || CALLS_DEFAULT);
  if (!Number.isInteger(limit) || limit < 1 || limit > CALLS_MAX) {
    throw new Fault("invalid_value", `limit must be from 1 to ${CALLS_MAX}.`, { param: "limit" });
  }
  const calls = await platform.calls.list(url.searchParams.get("appid") || undefined, limit);
  const data = calls.map((call) => ({
    rid: call.rid,
    appid: call.appid ?? null,
    at: new Date(call.atMs).toISOString(),
    cost_ms: call.costMs,
    method: call.method,
    path: call.path,
    url: call.url,
    client_ip: call.clientIp,
    errcode: call.errcode,
    field: call.field ?? null,
    request_body: call.requestBody,
    response_body: call.responseBody,
  }));
  return Response.json({ data });
};

const setQuota: Handle = async ({ platform, clock }, { request }) => {
  const { appid, name, used } = await readJson(request, QUOTA_FORM);
  if ((await platform.accounts.find(appid)) === undefined) throw noAccount("appid");
  await platform.quotas.setUsed(appid, name, used, clock.now());
  return Response.json({ appid, name, used });
};

const giveToken: Handle = async ({ platform }, { request }) => {
  const { appid, kind, sets } = await readJson(request, TOKEN_FORM);
  if ((await platform.accounts.find(appid)) === undefined) throw noAccount("appid");
  if (kind === "third-party") {
    const { token, expiresInS, refreshToken } = await platform.thirdPartyToken(appid, sets);
    const given = { access_token: token, expires_in: expiresInS, refresh_token: refreshToken };
    return Response.json(given);
  }
  const { token, expiresInS } =
    kind === "stable"
      ? await platform.tokens.stable(appid, false)
      : await platform.cloudToken(appid);
  return Response.json({ access_token: token, expires_in: expiresInS });
};

const planPublishes: Handle = async ({ publishing }, { request }) => {
  const form = await readJson(request, PUBLISH_FORM);
  const plan = { outcome: form.status, failed: form.fail_idx, delayMs: form.delay_ms };
  publishing.plan(Array.from({ length: form.count }, () => plan));
  return Response.json({ planned: form.count });
};

const dump: Handle = async ({ state, stateBytesMax }) => {
  if ((await state.fileBytes()) > stateBytesMax / 2) {
    throw new Fault("invalid_value", "There are too many files for a dump that can be restored.");
  }
  return Response.json(await state.dump());
};

const restore: Handle = async ({ state, stateBytesMax }, { request }) => {
  const text = decodeUtf8(await readBounded(request, stateBytesMax));
  let read: ReturnType<typeof STATE_FORM.safeParse> | undefined;
  try {
    read = STATE_FORM.safeParse(JSON.parse(text));
  } catch (thrown) {
    throw new Fault("invalid_json", "The request body is not valid JSON.", { cause: thrown });
  }
  if (!read.success || !(await state.restore(read.data))) {
    throw new Fault("invalid_value", "This is not a dump of a platform of this version.");
  }
  return Response.json({ restored: true });
};

const reset: Handle = async ({ state, interruptions, clock }) => {
  await state.reset();
  interruptions.clear();
  clock.offsetMs = 0;
  return Response.json({ reset: true });
};

/** What only tests need. Whoever mounts these sees to it that only operators get here. */
export function controlRoutes(parts: ControlParts, base: string): readonly Route[] {
  const at = (method: Route["method"], path: string, handle: Handle): Route => ({
    method,
    path: `${base}/__sandbox/${path}`,
    handle: (incoming) => handle(parts, incoming),
  });
  return [
    at("GET", "accounts", listAccounts),
    at("POST", "accounts", createAccount),
    at("PATCH", "accounts/:appid", changeAccount),
    at("GET", "clock", async () => showClock(parts)),
    at("PUT", "clock", setClock),
    at("GET", "faults", async () => showFaults(parts)),
    at("POST", "faults", addFault),
    at("DELETE", "faults", clearFaults),
    at("GET", "requests", listCalls),
    at("PUT", "quotas", setQuota),
    at("POST", "tokens", giveToken),
    at("POST", "publishing", planPublishes),
    at("GET", "state", dump),
    at("PUT", "state", restore),
    at("DELETE", "state", reset),
  ];
}
