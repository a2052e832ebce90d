import type { DraftOperations } from "../../drafts/api/mcp/operations.ts";
import { FAULTS, Fault, type FaultName } from "../../lib/faults.ts";
import { DIRECT } from "../../lib/net/direct.ts";
import { COMMAND_KEY } from "../command-key.ts";
import type { DraftServer } from "./draft-server.ts";

export type JsonBody = Readonly<Record<string, unknown>>;

function faultName(code: string, type: string): FaultName {
  if (code in FAULTS) return code as FaultName;
  return type === "budget_exceeded" ? "budget_exceeded" : "internal_error";
}

/** A server's error as the fault that it was there. */
function faultOf({ status, headers }: Response, body: unknown, server: DraftServer): Fault {
  const { error } = (body ?? {}) as { error?: Record<string, unknown> };
  const { message, type, code, param, ...facts } = error ?? {};
  const words = String(message ?? `The server answered with HTTP ${status}.`);
  const name = faultName(String(code ?? ""), String(type ?? ""));
  const isOurs = name === "invalid_api_key" && server.isKept;
  const hint = isOurs
    ? ` It is the key "${COMMAND_KEY}" of the operator account: enable it, or set FAREGATE_API_KEY.`
    : "";
  const fix = headers.get("x-faregate-fix");
  return new Fault(name, words + hint, {
    param: typeof param === "string" ? param : undefined,
    facts: fix === null ? facts : { ...facts, fix },
  });
}

export type DraftClient = ReturnType<typeof draftClient>;

/**
 * The calls of drafts, over HTTP. What the server refuses is thrown as its fault; the server is only
 * asked for when there is something to call.
 */
export function draftClient(server: () => Promise<DraftServer>) {
  const call = async (
    method: "GET" | "POST" | "PATCH" | "DELETE",
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<JsonBody> => {
    const found = await server();
    const { origin, key, isHere } = found;
    const typed = body === undefined ? {} : { "content-type": "application/json" };
    const request = {
      method,
      redirect: "manual",
      headers: { authorization: `Bearer ${key}`, ...typed, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // A model may think for long; the server has its own deadlines.
      timeout: false,
      ...(isHere && DIRECT),
    } as RequestInit;
    // A header that cannot be sent is thrown at once, not promised.
    const asked = Promise.try(() => fetch(`${origin}/v1${path}`, request));
    const response = await asked.catch((cause: unknown) => {
      const words = cause instanceof Error ? cause.message : String(cause);
      throw new Fault("upstream_unavailable", `${origin} cannot be reached: ${words}`, { cause });
    });
    const answer: unknown = await response.json().catch(() => undefined);
    if (!response.ok) throw faultOf(response, answer, found);
    return (answer ?? {}) as JsonBody;
  };
  const draft = (id: string) => `/drafts/${encodeURIComponent(id)}`;
  const account = (name: string) => `/wechat/accounts/${encodeURIComponent(name)}`;
  const operations: DraftOperations = {
    add: (form, key) => call("POST", "/drafts", form, { "idempotency-key": key }),
    preview: (form) => call("POST", "/drafts:preview", form),
    list({ after, limit }) {
      const query = new URLSearchParams({ limit: String(limit), ...(after && { after }) });
      return call("GET", `/drafts?${query}`);
    },
    get: (id) => call("GET", draft(id)),
    update: (id, form) => call("PATCH", draft(id), form),
    remove: (id) => call("DELETE", draft(id)),
    doctor: (name = "") => call("POST", `${account(name)}:doctor`, {}),
    themes: () => call("GET", "/drafts/themes"),
  };
  return {
    ...operations,
    call,
    retry: (id: string, asNew: boolean) => call("POST", `${draft(id)}:retry`, { as_new: asNew }),
    publish: (id: string) => call("POST", `${draft(id)}:publish`),
    /** By its name or id, or the one that drafts go to where nobody names one. */
    async publicAccount(name: string | undefined): Promise<JsonBody | undefined> {
      if (name !== undefined) return call("GET", account(name));
      const { data } = await call("GET", "/wechat/accounts");
      return (data as readonly JsonBody[]).find(({ is_default }) => is_default === true);
    },
  };
}
