import { LIMIT_AREAS, limitVariable } from "./limits.ts";

/** The default, empty if there is none, and what the setting is for. */
type Setting = readonly [value: string, about: string];

/**
 * Every setting of the environment that is not a limit, by area. `npm run docs` writes them into docs/settings.md and
 * docs/operations.md. A test holds the names and defaults against what `readConfig` does.
 */
export const SETTING_AREAS = {
  Server: {
    FAREGATE_HOST: ["127.0.0.1", "address to listen on"],
    FAREGATE_PORT: ["8080", "port to listen on; 0 takes a free one"],
    FAREGATE_WORKERS: ["1", "gates that share the port; more than 1 only with PostgreSQL"],
    FAREGATE_DATA: ["./data", "folder of the SQLite files"],
    FAREGATE_CONFIG: [
      "",
      "the [file](faregate-yaml.md); else `faregate.yaml` of the working folder",
    ],
    DATABASE_URL: ["", "`postgres://…` of a [PostgreSQL](#postgresql) that replaces SQLite"],
    FAREGATE_PUBLIC_URL: ["", "address that people use, if it is not host and port"],
    FAREGATE_TRUSTED_PROXIES: ["", "CIDR ranges whose `x-forwarded-for` is believed, with commas"],
    FAREGATE_CORS: [
      "*",
      "web pages that may call models: `*`, `off`, or origins ([security](security.md))",
    ],
    FAREGATE_SANDBOX: ["auto", "`on`, `off`, or `auto`: on until there is a real vendor"],
    FAREGATE_TRANSPORT: [
      "auto",
      "`auto`, `own` or `fetch`: the [client for vendors](#calling-vendors)",
    ],
    FAREGATE_LISTENER: ["own", "`own` or `bun` accepts [connections](#the-port)"],
    FAREGATE_STORE: ["on", '`off` keeps no answers; they then say `"store": false`'],
    FAREGATE_SECRET: ["", "seals secrets at rest, at least 32 characters ([Console](#console))"],
    FAREGATE_SECRET_NEXT: [
      "",
      "the next secret, for `faregate secret rotate` ([security](security.md))",
    ],
    FAREGATE_SIGNUP: ["invite", "who may sign up: `invite`, `open` or `closed`"],
    FAREGATE_SIGNUP_CREDIT: ["0", "dollars for a new account when its address is confirmed"],
    FAREGATE_SMTP_URL: ["", "mail server ([Mail](#mail))"],
    FAREGATE_MAIL_FROM: ["Faregate <no-reply@localhost>", "sender of mail"],
    FAREGATE_WEBHOOK_LOOPBACK: ["off", "`on` allows webhooks to this machine, also without TLS"],
    FAREGATE_METRICS_PUBLIC: [
      "off",
      "`on` opens `/metrics` to everybody; else it takes an operator",
    ],
    FAREGATE_LOG: ["info", "`debug`, `info`, `warn` or `error`; text at a terminal, else JSON"],
  },
  Commands: {
    FAREGATE_URL: ["", "server to call; else the one on the data folder"],
    FAREGATE_API_KEY: ["", "key for that server"],
    FAREGATE_LANG: ["", "language of commands, `en` or `zh`; else the terminal's"],
    FAREGATE_STATE: ["", "folder where `draft push` remembers which draft a file became"],
    FAREGATE_APPSECRET: ["", "AppSecret for `faregate draft account add` without a terminal"],
  },
  "OpenID Connect": {
    "FAREGATE_OIDC_<NAME>_ISSUER": ["", "issuer, below which the provider's document is"],
    "FAREGATE_OIDC_<NAME>_CLIENT_ID": ["", "as the provider gave it"],
    "FAREGATE_OIDC_<NAME>_CLIENT_SECRET": ["", "as the provider gave it"],
    "FAREGATE_OIDC_<NAME>_LABEL": ["", "words on the button, if not the name"],
  },
  Payments: {
    FAREGATE_STRIPE_SECRET_KEY: ["", "secret key of a Stripe account"],
    FAREGATE_STRIPE_WEBHOOK_SECRET: [
      "",
      "signing secret of its webhook to `/api/payments/stripe/webhook`",
    ],
    FAREGATE_EPAY_URL: ["", "address of an Epay service (Alipay, WeChat Pay), above `submit.php`"],
    FAREGATE_EPAY_PID: ["", "number of the merchant there"],
    FAREGATE_EPAY_KEY: ["", "key of the merchant, which signs orders and notices"],
  },
  "Public accounts": {
    FAREGATE_PLATFORM_URL: [
      "https://api.weixin.qq.com",
      "platform of public accounts that name none; `built-in` for this installation's own",
    ],
    FAREGATE_DRAFTS_PUBLISH: ["off", "`on` allows publishing, if the public account allows it too"],
    FAREGATE_DRAFTS_PRIVATE_NETWORKS: [
      "off",
      "`on` allows platforms and pictures in private networks",
    ],
    FAREGATE_PLATFORM: ["on", "`off` serves no built-in `/platform`"],
    FAREGATE_PLATFORM_PROFILE: [
      "doc",
      "its rules: `doc`, `live` or `lenient` ([rules](platform.md#profiles))",
    ],
    FAREGATE_PLATFORM_CONTROLS: [
      "auto",
      "its material page and test controls: `on`, `off`, or `auto` (on a loopback host only)",
    ],
  },
  Traces: {
    OTEL_TRACES_EXPORTER: ["", "`otlp` or `none`; unset, an address switches traces on"],
    OTEL_EXPORTER_OTLP_ENDPOINT: ["http://localhost:4318", "collector; `/v1/traces` is added"],
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: ["", "whole address of the collector instead"],
    OTEL_EXPORTER_OTLP_HEADERS: ["", "`name=value,…`, such as a collector's key"],
    OTEL_EXPORTER_OTLP_PROTOCOL: [
      "http/json",
      "or `http/protobuf`; any other value stops the start",
    ],
    OTEL_EXPORTER_OTLP_TIMEOUT: ["10000", "one call of the collector, in ms"],
    OTEL_SERVICE_NAME: ["faregate", "`service.name`"],
    OTEL_RESOURCE_ATTRIBUTES: ["", "`name=value,…` on everything"],
    OTEL_TRACES_SAMPLER: [
      "parentbased_always_on",
      "or `always_on`, `always_off`, `traceidratio`, `parentbased_always_off`, `parentbased_traceidratio`",
    ],
    OTEL_TRACES_SAMPLER_ARG: ["1", "share of a ratio, from 0 to 1"],
    OTEL_BSP_MAX_QUEUE_SIZE: ["2048", "spans that wait; further ones are dropped"],
    OTEL_BSP_SCHEDULE_DELAY: ["5000", "longest wait of a span for others, in ms"],
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: ["512", "spans in one call"],
    OTEL_BSP_EXPORT_TIMEOUT: ["30000", "one batch with its retries, in ms"],
    OTEL_SDK_DISABLED: ["", "`true` switches traces off"],
    FAREGATE_TRACE_VENDORS: ["off", "`on` sends a `traceparent` with each call to a vendor"],
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Setting>>>>;

const limitNames = Object.values(LIMIT_AREAS).flatMap((area) => Object.keys(area));

/** The names of all settings, limits included. A part in angle brackets stands for any word. */
export const SETTING_NAMES: readonly string[] = [
  ...Object.values(SETTING_AREAS).flatMap((area) => Object.keys(area)),
  ...limitNames.map(limitVariable),
];
