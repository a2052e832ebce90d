// The platform as `faregate serve` serves it, with a public account, a cover and the test controls.
import { OperatorTokens } from "../../src/accounts/operator-tokens.ts";
import { startApp } from "../../src/compose.ts";
import { readConfig } from "../../src/config.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { peopleStores } from "../../src/store/console/people.ts";
import { openStore } from "../../src/store/open.ts";
import { temporaryFolder } from "../server.ts";
import { SILENT } from "./logs.ts";
import { picture } from "./pictures.ts";
import { answerOf, type WireAnswer } from "./platform-house.ts";

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

export async function servedPlatform(env: Record<string, string> = {}) {
  const folder = temporaryFolder();
  const settings = { FAREGATE_PORT: "0", FAREGATE_DATA: folder.path, ...env };
  const config = readConfig(settings);
  const store = await openStore(config, { create: true, serve: true });
  const app = await startApp(config, store, SILENT);
  const operatorTokens = new OperatorTokens(
    peopleStores(store.sql, systemClock).tokens,
    systemClock,
  );
  const { secret: operatorToken } = await operatorTokens.create("tests", "tests");
  const url = `http://127.0.0.1:${app.port}/platform`;
  const ask = async (path: string, init: RequestInit = {}): Promise<WireAnswer> =>
    answerOf(await fetch(`${url}${path}`, init));
  /** A call of the test controls. */
  const control = (method: string, path: string, body?: unknown, token = operatorToken) =>
    fetch(`${url}/__sandbox/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
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
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= app.stop();
    return stopping;
  };
  return {
    url,
    settings,
    ask,
    control,
    controlled,
    upload,
    account,
    post: (path: string, body: string | Bytes, { token }: Pick<ServedAccount, "token">) =>
      ask(`${path}?access_token=${token}`, { method: "POST", body }),
    get: (path: string, { token }: Pick<ServedAccount, "token">) =>
      ask(`${path}?access_token=${token}`),
    /** The process ends; what it kept stays. */
    stop,
    async close() {
      await stop();
      folder.remove();
    },
  };
}

export type ServedPlatform = Awaited<ReturnType<typeof servedPlatform>>;
