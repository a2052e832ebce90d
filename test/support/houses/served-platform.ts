// The platform as `faregate serve` serves it, with a public account, a cover and the test controls.
import { Memberships } from "../../../src/accounts/people/members.ts";
import { OperatorTokens } from "../../../src/accounts/people/operator-tokens.ts";
import { peopleStores } from "../../../src/accounts/tables/open.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { SQLITE } from "../../store/engines.ts";
import { picture } from "../samples/pictures.ts";
import { VAULT } from "../vault.ts";
import type { Parts } from "./house.ts";
import { answerOf, type WireAnswer } from "./platform-house.ts";
import { wholeApp } from "./whole-app.ts";

type Bytes = Uint8Array<ArrayBuffer>;

export interface ServedAccount {
  readonly appid: string;
  readonly secret: string;
  readonly token: string;
  /** A permanent image. */
  readonly thumb: string;
}

/** A form with one file, as text and bytes, so that nothing else decides what is sent. */
export function fileForm(fileName: string, bytes: Uint8Array, field = "media") {
  const head =
    `--BOUNDARY\r\nContent-Disposition: form-data; name="${field}"; filename="${fileName}"\r\n` +
    "Content-Type: application/octet-stream\r\n\r\n";
  const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from("\r\n--BOUNDARY--\r\n")]);
  const headers = { "content-type": "multipart/form-data; boundary=BOUNDARY" };
  return { method: "POST", headers, body: new Uint8Array(body) };
}

/** Whoever waits for a publish asks for it again and again. */
const AT_ONCE = { FAREGATE_PLATFORM_PUBLISH_MS: "20" };

export async function servedPlatform(
  parts: Parts,
  env: Record<string, string> = {},
  engine = SQLITE,
) {
  const site = await engine.site(parts);
  const app = await wholeApp(parts, site, { ...AT_ONCE, ...env });
  const { tokens, audit } = peopleStores(app.store.sql, systemClock);
  const memberships = new Memberships(app.store.sql, VAULT, systemClock);
  const operatorTokens = new OperatorTokens({
    ...{ store: tokens, memberships, audit, clock: systemClock },
  });
  const tests = { userId: undefined, name: "tests", operator: true };
  const { secret: operatorToken } = await operatorTokens.create({ name: "tests" }, tests);
  const url = `${app.url}/platform`;
  const ask = async (path: string, init: RequestInit = {}): Promise<WireAnswer> =>
    answerOf(await fetch(`${url}${path}`, init));
  /** A call of the test controls. */
  const control = (method: string, path: string, body?: unknown, token = operatorToken) =>
    fetch(`${url}/__sandbox/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body !== undefined && {
        body: body instanceof ReadableStream ? body : JSON.stringify(body),
      }),
    });
  const controlled = async (method: string, path: string, body?: unknown) => {
    const response = await control(method, path, body);
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return (await response.json()) as Record<string, unknown>;
  };
  const upload = (path: string, token: string, fileName: string, bytes: Uint8Array) =>
    ask(`${path}${path.includes("?") ? "&" : "?"}access_token=${token}`, fileForm(fileName, bytes));
  const account = async (rights: Record<string, unknown> = {}): Promise<ServedAccount> => {
    const made = await controlled("POST", "accounts", rights);
    const [appid, secret] = [String(made.appid), String(made.secret)];
    const given = await ask("/cgi-bin/stable_token", {
      method: "POST",
      body: `{"grant_type":"client_credential","appid":"${appid}","secret":"${secret}"}`,
    });
    const token = String(given.body.access_token);
    const cover = await picture("jpeg");
    const path = "/cgi-bin/material/add_material?type=image";
    const thumb = String((await upload(path, token, "cover.jpg", cover)).body.media_id);
    return { appid, secret, token, thumb };
  };
  return {
    url,
    site,
    ask,
    control,
    controlled,
    upload,
    account,
    post: (path: string, body: string | Bytes, { token }: Pick<ServedAccount, "token">) =>
      ask(`${path}?access_token=${token}`, { method: "POST", body }),
    get: (path: string, { token }: Pick<ServedAccount, "token">) =>
      ask(`${path}?access_token=${token}`),
    stop: app.stop,
  };
}
