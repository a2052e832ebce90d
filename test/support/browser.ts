// A browser as far as the API sees one, and the ways in that somebody new comes by.
import type { Route } from "../../src/lib/route.ts";
import type { JsonObject } from "./samples/wires.ts";

/** Everybody's, unless a test gives them another. */
export const PASSWORD = "correct horse battery";

type HeaderChanges = Readonly<Record<string, string | null>>;

/** A browser as far as the API sees one: it keeps cookies and says which page it is on. */
export class Browser {
  readonly cookies = new Map<string, string>();
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  get(path: string): Promise<Response> {
    return this.#fetch("GET", path, {}, undefined);
  }

  post(path: string, body: unknown = {}): Promise<Response> {
    return this.send("POST", path, body);
  }

  /** A change as a page of the console makes it. Headers that are null are left out. */
  send(
    method: Route["method"],
    path: string,
    body: unknown = {},
    changes: HeaderChanges = {},
  ): Promise<Response> {
    const usual = {
      "content-type": "application/json",
      origin: this.#url,
      "x-faregate-csrf": "1",
    };
    const sent = body instanceof ReadableStream ? body : JSON.stringify(body);
    return this.#fetch(method, path, { ...usual, ...changes }, sent);
  }

  signIn(email: string, password: string): Promise<Response> {
    return this.post("/api/auth/sign-in/email", { email, password });
  }

  async #fetch(
    method: Route["method"],
    path: string,
    wanted: HeaderChanges,
    body: string | ReadableStream | undefined,
  ): Promise<Response> {
    const headers = new Headers();
    for (const [name, value] of Object.entries(wanted)) {
      if (value !== null) headers.set(name, value);
    }
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    if (cookie) headers.set("cookie", cookie);
    const response = await fetch(this.#url + path, {
      method,
      headers,
      // Where an answer leads is looked at, not followed.
      redirect: "manual",
      ...(body !== undefined && { body }),
    });
    for (const text of response.headers.getSetCookie()) this.#keep(text);
    return response;
  }

  #keep(text: string): void {
    const [pair = "", ...attributes] = text.split(";");
    const [, name = "", value = ""] = /^([^=]*)=(.*)$/.exec(pair.trim()) ?? [];
    const ended = attributes.some((attribute) => /^\s*max-age=0\s*$/i.test(attribute));
    if (ended) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

/** What a call that must succeed answers. */
export async function bodyOf<T = JsonObject>(answer: Response | Promise<Response>): Promise<T> {
  const response = await answer;
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status}: ${text}`);
  return JSON.parse(text) as T;
}

/** Somebody new who runs the installation, signed in. */
export async function newOperator(url: string, token: string, email: string): Promise<Browser> {
  const browser = new Browser(url);
  const person = { token, email, name: email, password: PASSWORD };
  await bodyOf(browser.post("/api/operator-link", person));
  return browser;
}

/** Somebody new who was invited, signed in. */
export async function newGuest(url: string, token: string, email: string): Promise<Browser> {
  const browser = new Browser(url);
  const person = { token, name: email, password: PASSWORD };
  await bodyOf(browser.post("/api/invitations/accept", person));
  return browser;
}
