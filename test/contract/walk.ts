// Calls one operation after the other and holds every answer against the contract.
import { expect } from "bun:test";
import type { z } from "zod";
import { credentialsOf } from "../../src/http/openapi/shared.ts";
import { bodyExample, FILE_STATUS, isFile, type Operation } from "../../src/lib/contract.ts";
import { Browser } from "../support/browser.ts";
import { picture } from "../support/samples/pictures.ts";
import { expectFault, expectFits, expectType, isPlatform, nameOf } from "./fits.ts";
import type { ContractHouse } from "./house.ts";

const JSON_TYPE = "application/json";
const EVENTS = "text/event-stream";

/** The headers of programs: how they show the one key there is, or nothing. */
const PROGRAMS = {
  key: (seen: Seen) => ({ authorization: `Bearer ${seen("secret")}` }),
  anthropicKey: (seen: Seen) => ({ "x-api-key": seen("secret") }),
  googleKey: (seen: Seen) => ({ "x-goog-api-key": seen("secret") }),
  /** Its token stands in the address, where it has one. */
  platform: () => ({}),
  nobody: () => ({}),
};

/** Programs, and the people of the story, of whom nobody has signed in when it begins. */
type Caller = keyof typeof PROGRAMS | "visitor" | "operator" | "guest" | "newcomer";

type Texts = Readonly<Record<string, string>>;
/** What an earlier answer has told. */
export type Seen = (name: string) => string;

export interface Call {
  /** Method and path, as `POST /api/accounts/:account/keys`. */
  readonly of: string;
  /** By the credentials that the operation names, unless it is said. */
  readonly by?: Caller;
  /** Which of what was seen stands for a piece of the path; that of its own name otherwise. */
  readonly at?: Texts;
  readonly query?: (seen: Seen) => Texts;
  readonly headers?: Texts;
  /** Takes the place of members of the operation's example. */
  readonly body?: (seen: Seen) => object;
  /** What comes instead of the plain answer, where that is asked for. */
  readonly wants?: "stream" | "file";
  /** Members of the answer that later calls need, as `{ key: "id", code: "codes.0" }`; all of it by no name. */
  readonly keep?: Texts;
  /** The platform's code where it refuses, with the status of an answer. */
  readonly errcode?: number;
  /** What happens outside before it. */
  readonly first?: (house: ContractHouse, walk: Walk) => unknown;
}

/** A member as a text, or the JSON of it. */
function memberOf(value: unknown, path: string): string {
  const found = path
    .split(".")
    .filter(Boolean)
    .reduce<unknown>((each, name) => (each as Record<string, unknown> | null)?.[name], value);
  if (found === undefined || found === null) {
    throw new Error(`The answer has no ${path}: ${JSON.stringify(value)}`);
  }
  return typeof found === "string" ? found : JSON.stringify(found);
}

async function formWithPicture(): Promise<FormData> {
  const form = new FormData();
  form.set("media", new File([await picture("jpeg")], "cover.jpg"));
  return form;
}

export class Walk {
  readonly house: ContractHouse;
  /** Operations that have answered as they should, with the parameters that were sent and what else was wanted. */
  readonly answered = new Map<string, Set<string>>();
  /** Lists that had a row to look at. */
  readonly filled = new Set<string>();
  readonly #operations: ReadonlyMap<string, Operation>;
  readonly #seen = new Map<string, string>();
  readonly #browsers = new Map<Caller, Browser>();

  constructor(house: ContractHouse) {
    this.house = house;
    this.#operations = new Map(house.operations.map((each) => [nameOf(each), each]));
    this.see("operatorLink", house.operatorLink);
    this.see("hook", house.hook.url);
    this.see("vendor", house.vendor.url);
  }

  see(name: string, value: string): void {
    this.#seen.set(name, value);
  }

  readonly seen: Seen = (name) => {
    const value = this.#seen.get(name);
    if (value === undefined) throw new Error(`No earlier call has told '${name}'.`);
    return value;
  };

  browser(caller: Caller): Browser {
    const known = this.#browsers.get(caller) ?? new Browser(this.house.url);
    this.#browsers.set(caller, known);
    return known;
  }

  async make(call: Call): Promise<void> {
    const operation = this.#operations.get(call.of);
    if (!operation) throw new Error(`${call.of} is not mounted.`);
    await call.first?.(this.house, this);
    const query = call.query?.(this.seen) ?? {};
    const value = await this.#askOnce(operation, call, query);
    for (const [name, path] of Object.entries(call.keep ?? {})) {
      this.see(name, memberOf(value, path));
    }
    const { after, limit } = operation.query?.shape ?? {};
    if (after && limit && !call.query) await this.#page(operation, call);
  }

  /** What takes a key to be asked again by is, and answers as it did. */
  async #askOnce(operation: Operation, call: Call, query: Texts): Promise<unknown> {
    const name = "idempotency-key";
    if (!operation.headers || !(name in operation.headers.shape)) {
      return this.#ask(operation, call, query);
    }
    const keyed = { ...call, headers: { ...call.headers, [name]: crypto.randomUUID() } };
    const value = await this.#ask(operation, keyed, query);
    await this.#ask(operation, keyed, query);
    return value;
  }

  /** A list is asked for its first row alone, and then for what follows. */
  async #page(operation: Operation, call: Call): Promise<void> {
    const first = (await this.#ask(operation, call, { limit: "1" })) as { next: string | null };
    if (first.next !== null) await this.#ask(operation, call, { after: first.next });
  }

  async #ask(operation: Operation, call: Call, query: Texts): Promise<unknown> {
    const value = await this.#check(operation, call, await this.#send(operation, call, query));
    const sent = this.answered.get(call.of) ?? new Set();
    const wanted = call.wants ? [call.wants] : [];
    this.answered.set(call.of, new Set([...sent, ...Object.keys(query), ...wanted]));
    if ((value as { data?: readonly unknown[] }).data?.length) this.filled.add(call.of);
    return value;
  }

  async #send(operation: Operation, call: Call, query: Texts): Promise<Response> {
    const { method, path, body: takes, bodyType } = operation;
    const filled = path.replace(/\/:(\w+)/g, (_, name: string) => {
      return `/${encodeURIComponent(this.seen(call.at?.[name] ?? name))}`;
    });
    const by = call.by ?? callerOf(operation);
    const byToken = credentialsOf(operation).includes("platformToken");
    const token = byToken ? { access_token: this.seen("platformToken") } : {};
    const address = `${filled}?${new URLSearchParams({ ...query, ...token })}`;
    if (bodyType) return fetch(this.house.url + address, { method, body: await formWithPicture() });
    const body = takes && { ...(bodyExample(operation) as object), ...call.body?.(this.seen) };
    return this.send(by, method, address, body, call.headers);
  }

  send(
    by: Caller,
    method: Operation["method"],
    address: string,
    body: object | undefined,
    headers: Texts = {},
  ): Promise<Response> {
    if (!isProgram(by)) {
      const browser = this.browser(by);
      return method === "GET" ? browser.get(address) : browser.send(method, address, body, headers);
    }
    const shown = PROGRAMS[by](this.seen);
    return fetch(this.house.url + address, {
      method,
      headers: { ...shown, "content-type": "application/json", ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
  }

  async #check(operation: Operation, call: Call, response: Response): Promise<unknown> {
    const { of } = call;
    const text = await response.text();
    if (!response.ok) expectFault(operation, text);
    const status = call.wants === "file" ? FILE_STATUS : operation.status;
    expect([of, response.status, response.ok || text]).toEqual([of, status, true]);
    const wanted = typeOf(operation, call);
    expectType(of, response, wanted);
    if (wanted !== JSON_TYPE) {
      const begins = wanted === EVENTS ? /^(?:data|event): / : /./;
      expect([of, text]).toEqual([of, expect.stringMatching(begins)]);
      return text;
    }
    const value = JSON.parse(text) as unknown;
    expectFits(of, operation.answer as z.ZodType, value);
    const { errcode = 0 } = value as { errcode?: number };
    expect([of, errcode, value]).toEqual([of, call.errcode ?? 0, value]);
    return value;
  }

  /** Something that nobody has, asked for with a body that nobody can read. */
  async expectRefusal(operation: Operation, by: Caller): Promise<void> {
    const path = operation.path.replace(/\/:\w+/g, "/nothing");
    const response = await this.send(by, operation.method, path, operation.body && []);
    const refused = isPlatform(operation) ? response.ok : response.status >= 400;
    const text = await response.text();
    expect([nameOf(operation), refused || text]).toEqual([nameOf(operation), true]);
    expectFault(operation, text);
  }
}

/** Of the answer that is wanted. */
function typeOf({ answer, file }: Operation, { wants }: Call): string {
  if (wants === "stream") return EVENTS;
  if (wants === "file") return file?.contentType ?? "";
  return isFile(answer) ? answer.contentType : JSON_TYPE;
}

const isProgram = (caller: Caller): caller is keyof typeof PROGRAMS => caller in PROGRAMS;

/** Whoever has one of the credentials. */
export function callerOf(operation: Operation): Caller {
  const [first] = credentialsOf(operation);
  if (isPlatform(operation)) return "platform";
  if (first === undefined) return "visitor";
  return first === "session" ? "operator" : "key";
}
