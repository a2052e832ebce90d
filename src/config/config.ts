import { isRange } from "../lib/net/networks.ts";
import type { LogLevel } from "../telemetry/log.ts";
import { type OidcProvider, readAmount, readOidc, readSecret } from "./console.ts";
import { readCors } from "./cors.ts";
import { readDrafts } from "./drafts.ts";
import { type Environment, folderPath, oneOf, wholeNumber } from "./environment.ts";
import { parseConfigFile } from "./file.ts";
import { findFile, type HandedFile } from "./file-text.ts";
import { type Limits, readLimits } from "./limits.ts";
import { ConfigError } from "./members.ts";
import { readPaymentAccounts } from "./payments.ts";
import { readPlatform } from "./platform.ts";
import { readTraces } from "./traces.ts";

interface VendorSettings {
  /** The first of the keys; empty for a local server that asks for none. */
  readonly apiKey: string;
  readonly apiKeys: readonly string[];
  readonly baseUrl: string | undefined;
}

export { ConfigError, type Limits, type OidcProvider };

function address(env: Environment, name: string, protocols: readonly string[]): string | undefined {
  const text = env[name];
  if (!text) return undefined;
  if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol)) {
    const forms = protocols.map((protocol) => `${protocol}//…`).join(" or ");
    throw new ConfigError(`${name} is not an address; write it as ${forms}`);
  }
  return text.replace(/\/+$/, "");
}

function ranges(env: Environment, name: string): readonly string[] {
  const all = (env[name] ?? "").split(/[\s,]+/).filter(Boolean);
  const wrong = all.find((range) => !isRange(range));
  if (wrong !== undefined) {
    throw new ConfigError(`${name} has "${wrong}"; it must be addresses or CIDR ranges.`);
  }
  return all;
}

const HELD_WHOLE = "Faregate holds the most that a request can cost, or a share of what is left";

/** Settings of earlier versions. A start warns of each that is still set. */
const GONE: Readonly<Record<string, string>> = {
  FAREGATE_HOLD_OUTPUT_TOKENS_DEFAULT: HELD_WHOLE,
  FAREGATE_HOLD_HARD_OUTPUT_TOKENS_DEFAULT: HELD_WHOLE,
};

function goneSettings(env: Environment): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(GONE).filter(([name]) => env[name]));
}

function readVendor(
  env: Environment,
  keyName: string,
  baseUrlName: string,
  keyless: boolean,
): VendorSettings | undefined {
  const apiKeys = (env[keyName] ?? "").split(/[\s,]+/).filter(Boolean);
  const [apiKey = ""] = apiKeys;
  if (apiKey === "" && !keyless) return undefined;
  const baseUrl = address(env, baseUrlName, ["http:", "https:"]);
  return apiKey === "" && baseUrl === undefined ? undefined : { apiKey, apiKeys, baseUrl };
}

/**
 * Environment, and the file in the folder where the process was started or that it was handed → one frozen object.
 * Everything else takes its settings from here.
 */
export function readConfig(env: Environment, folder?: string, handed?: HandedFile) {
  const host = env.FAREGATE_HOST || "127.0.0.1";
  const fileText = handed ? (handed.file ?? undefined) : findFile(env, folder);
  return Object.freeze({
    host,
    port: wholeNumber(env, "FAREGATE_PORT", 8080, 65_535),
    /** How many gates share the port. */
    workers: wholeNumber(env, "FAREGATE_WORKERS", 1, 256, 1),
    dataDir: folderPath(env, "FAREGATE_DATA", "./data"),
    databaseUrl: address(env, "DATABASE_URL", ["postgres:", "postgresql:"]),
    publicUrl: address(env, "FAREGATE_PUBLIC_URL", ["http:", "https:"]),
    /** CIDR ranges whose `x-forwarded-for` is believed. */
    trustedProxies: ranges(env, "FAREGATE_TRUSTED_PROXIES"),
    cors: Object.freeze(readCors(env)),
    /** Settings of earlier versions that the environment still has, each with what became of it. */
    gone: Object.freeze(goneSettings(env)),
    /** Vendors that are not on this machine are called through a proxy, and cannot be connected to directly. */
    proxied: Boolean(env.HTTPS_PROXY || env.https_proxy || env.HTTP_PROXY || env.http_proxy),
    /** `auto`: our own client for plain HTTP/1.1; `own`: over TLS too. */
    transport: oneOf(env, "FAREGATE_TRANSPORT", ["auto", "own", "fetch"]),
    /** Who has the connections of clients: we, for plain calls of models, or the runtime for all. */
    listener: oneOf(env, "FAREGATE_LISTENER", ["own", "bun"]),
    /** The runtime is told to trust whatever certificate it is shown. */
    tlsUnverified: env.NODE_TLS_REJECT_UNAUTHORIZED === "0",
    sandbox: oneOf(env, "FAREGATE_SANDBOX", ["auto", "on", "off"]),
    storeResponses: oneOf(env, "FAREGATE_STORE", ["on", "off"]) === "on",
    /** What secrets at rest are sealed with; without it, a file of the data folder. */
    secret: readSecret(env),
    /** What takes its place when somebody changes it. */
    secretNext: readSecret(env, "FAREGATE_SECRET_NEXT"),
    /** Who may make an identity, and what an account opened so is given, in dollars. */
    signup: oneOf(env, "FAREGATE_SIGNUP", ["invite", "open", "closed"]),
    signupCredit: readAmount(env, "FAREGATE_SIGNUP_CREDIT"),
    oidc: readOidc(env),
    logLevel: oneOf<LogLevel>(env, "FAREGATE_LOG", ["info", "debug", "warn", "error"]),
    payments: readPaymentAccounts(env),
    drafts: readDrafts(env),
    /** The public-account platform that this process serves. */
    platform: readPlatform(env, host),
    /** Where mail is handed in, and whom it is from. Without it, mail is a line of the log. */
    smtpUrl: address(env, "FAREGATE_SMTP_URL", ["smtp:", "smtps:"]),
    mailFrom: env.FAREGATE_MAIL_FROM || "Faregate <no-reply@localhost>",
    /** Whether webhooks may go to this machine. */
    webhookLoopback: oneOf(env, "FAREGATE_WEBHOOK_LOOPBACK", ["off", "on"]) === "on",
    /** Where traces go; nowhere, unless the variables of OpenTelemetry say so. */
    traces: readTraces(env),
    metricsPublic: oneOf(env, "FAREGATE_METRICS_PUBLIC", ["off", "on"]) === "on",
    limits: readLimits(env),
    /** What `faregate.yaml` adds, where there is one. */
    file: fileText && parseConfigFile(fileText.text, fileText.path, env),
    /** The same as it was read, for processes that are started later. */
    fileText,
    /**
     * The environment's credentials of a vendor, by the names of the vendor's row. One that needs no
     * key is there once its address is.
     */
    vendor: (keyName: string, baseUrlName: string, keyless = false) =>
      readVendor(env, keyName, baseUrlName, keyless),
  });
}

export type Config = ReturnType<typeof readConfig>;
