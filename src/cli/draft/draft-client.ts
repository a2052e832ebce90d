import type { DraftOperations } from "../../drafts/api/mcp/operations.ts";
import { FAULTS, Fault, type FaultName } from "../../lib/faults.ts";
import { COMMAND_KEY } from "../command-key.ts";
import type { DraftServer } from "./draft-server.ts";

export type Answer = Readonly<Record<string, unknown>>;

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

/** The calls of drafts, over HTTP. What the server refuses is thrown as its fault. */
export class DraftClient implements DraftOperations {
  readonly #server: () => Promise<DraftServer>;

  /** The server is only asked for when there is something to call. */
  constructor(server: () => Promise<DraftServer>) {
    this.#server = server;
  }

  async call(
    method: "GET" | "POST" | "PATCH" | "DELETE",
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const server = await this.#server();
    const { origin, key } = server;
    let response: Response;
    try {
      response = await fetch(`${origin}/v1${path}`, {
        method,
        redirect: "manual",
        headers: {
          authorization: `Bearer ${key}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        // A model may think for long; the server has its own deadlines.
        timeout: false,
      } as RequestInit);
    } catch (thrown) {
      const words = thrown instanceof Error ? thrown.message : String(thrown);
      throw new Fault("upstream_unavailable", `${origin} cannot be reached: ${words}`, {
        cause: thrown,
      });
    }
    const answer: unknown = await response.json().catch(() => undefined);
    if (!response.ok) throw faultOf(response, answer, server);
    return (answer ?? {}) as Answer;
  }

  add(form: unknown, idempotencyKey: string): Promise<Answer> {
    return this.call("POST", "/drafts", form, { "idempotency-key": idempotencyKey });
  }

  preview(form: unknown): Promise<Answer> {
    return this.call("POST", "/drafts:preview", form);
  }

  list({ after, limit }: { after?: string | undefined; limit: number }): Promise<Answer> {
    const query = new URLSearchParams({ limit: String(limit), ...(after && { after }) });
    return this.call("GET", `/drafts?${query}`);
  }

  get(id: string): Promise<Answer> {
    return this.call("GET", `/drafts/${encodeURIComponent(id)}`);
  }

  update(id: string, form: unknown): Promise<Answer> {
    return this.call("PATCH", `/drafts/${encodeURIComponent(id)}`, form);
  }

  remove(id: string): Promise<Answer> {
    return this.call("DELETE", `/drafts/${encodeURIComponent(id)}`);
  }

  retry(id: string, asNew: boolean): Promise<Answer> {
    return this.call("POST", `/drafts/${encodeURIComponent(id)}:retry`, { as_new: asNew });
  }

  publish(id: string): Promise<Answer> {
    return this.call("POST", `/drafts/${encodeURIComponent(id)}:publish`);
  }

  /** By its name or id, or the one that drafts go to where nobody names one. */
  async publicAccount(name: string | undefined): Promise<Answer | undefined> {
    if (name !== undefined) return this.call("GET", `/wechat/accounts/${encodeURIComponent(name)}`);
    const { data } = await this.call("GET", "/wechat/accounts");
    return (data as readonly Answer[]).find(({ is_default }) => is_default === true);
  }

  doctor(account: string | undefined): Promise<Answer> {
    return this.call("POST", `/wechat/accounts/${encodeURIComponent(account ?? "")}:doctor`, {});
  }

  themes(): Promise<Answer> {
    return this.call("GET", "/drafts/themes");
  }
}
