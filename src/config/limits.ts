import { DOLLARS_MAX, isDollars } from "./dollars.ts";
import { type Environment, wholeNumber } from "./environment.ts";
import { ConfigError } from "./members.ts";

interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** The default, what the limit is for, and bounds if they are not those of its unit. */
type Limit = readonly [value: number, about: string, bounds?: Bounds];

const KIB = 1024;
const MIB = 1024 * KIB;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * A timer takes 2,147,483,647 ms, and rings at once if it is set to more. The watch over a server that stops waits for four
 * of these together.
 */
const TIMER: Bounds = { min: 0, max: 500_000_000 };
/** Counts, sizes, and times that are compared with a clock instead of set as a timer. */
const ANY: Bounds = { min: 0, max: Number.MAX_SAFE_INTEGER };
/** Seconds that the runtime keeps in a byte. */
const BYTE_OF_SECONDS: Bounds = { min: 1_000, max: 255_000 };
/** Zero would switch the thing off. */
const SOME: Bounds = { min: 1, max: 10_000 };
const SOME_TIME: Bounds = { min: 1, max: 600_000 };

/**
 * Limits of one process, by area. Each is named with its unit, unless it is in dollars, and can be set as FAREGATE_<NAME>.
 * `npm run docs` writes them into docs/settings.md.
 */
export const LIMIT_AREAS = {
  Requests: {
    body_bytes_max: [64 * MIB, "body of a request"],
    body_parts_max: [100_000, "objects, lists and texts in a body, names of members included"],
    body_depth_max: [256, "nesting of a body"],
    body_elements_max: [320_000, "elements of lists and members of objects in a body"],
    upload_idle_ms: [30_000, "silence within a body, at most 255 s", BYTE_OF_SECONDS],
    upload_ms: [10 * MINUTE_MS, "receiving a body for a model, a draft or the platform"],
    form_ms: [MINUTE_MS, "receiving a body for the console"],
    client_keep_ms: [240_000, "idle time of a client's connection, at most 255 s", BYTE_OF_SECONDS],
    client_idle_ms: [MINUTE_MS, "time without reading, after which a client has left", ANY],
    keep_alive_ms: [15_000, "silence before a stream gets a keep-alive", ANY],
    key_fresh_ms: [1_000, "wait after which the key of a request is read again", ANY],
    body_bytes_in_flight_max: [512 * MIB, "bodies for models, until their answers begin; shared"],
    office_body_bytes_in_flight_max: [256 * MIB, "bodies that the office reads; shared"],
    answer_bytes_in_flight_max: [512 * MIB, "whole answers above 128 KB until clients took them"],
    answer_bytes_account_percent: [
      25,
      "share of one account in them, if other accounts have some",
      SOME,
    ],
    open_calls_per_minute: [600, "calls of one address without key, token or session"],
    key_requests_per_minute: [3_000, "requests of a key that has no limit of its own"],
    keys_per_account: [1_000, "keys of an account, without deleted ones", { min: 1, max: 1e7 }],
    refusal_receipts_per_minute: [60, "receipts for refusals of a key with one reason"],
    output_tokens_max: [10_000_000, "largest output maximum that a request may name"],
    choices_max: [128, "`n` of a chat completion"],
    embedding_inputs_max: [2_048, "texts in a request for embeddings"],
  },
  "Calls to vendors": {
    upstream_connect_ms: [10_000, "connecting, with TLS"],
    upstream_first_byte_ms: [120_000, "until the first byte of a stream", ANY],
    upstream_answer_ms: [10 * MINUTE_MS, "until a whole answer", ANY],
    upstream_idle_ms: [120_000, "silence between two chunks of a stream", ANY],
    upstream_total_ms: [15 * MINUTE_MS, "a request, from its dispatch to its end", ANY],
    upstream_head_bytes_max: [
      64 * KIB,
      "head of an answer; not with `fetch`",
      {
        min: KIB,
        max: 16 * MIB,
      },
    ],
    upstream_unread_bytes_max: [256 * KIB, "bytes read ahead of a client; not with `fetch`"],
    upstream_answer_bytes_max: [128 * MIB, "a whole answer, or one event of a stream, unpacked"],
    upstream_keep_ms: [MINUTE_MS, "idle time of a connection; not with `fetch`", ANY],
    upstream_kept_max: [256, "idle connections to one origin; not with `fetch`"],
    drain_ms: [5 * MINUTE_MS, "finishing an answer after its client left", ANY],
    drains_max: [64, "answers that are finished so at once"],
    retries_max: [2, "further attempts of a request before its first byte"],
    repeats_max: [1, "further attempts at the same channel, after a 5xx or a reset"],
    retry_budget_percent: [20, "retries in progress, in percent of all calls in progress"],
    retry_budget_min: [3, "retries that are always allowed"],
    channel_window_ms: [30_000, "time for which the failures of a channel count", ANY],
    channel_attempts_min: [10, "attempts in the window before a channel can rest"],
    channel_fault_percent: [50, "failures in the window that make a channel rest"],
    channel_cooldown_ms: [15_000, "rest of a channel", ANY],
    credential_cooldown_ms: [10_000, "rest of a key after a 429 without a time", ANY],
    credential_cooldown_ms_max: [10 * MINUTE_MS, "longest rest that a vendor may ask for", ANY],
    credential_probe_ms: [MINUTE_MS, "first wait before a refused key is tried; it doubles", ANY],
    credential_probe_ms_max: [HOUR_MS, "longest such wait", ANY],
    sticky_ms: [10 * MINUTE_MS, "time for which a conversation keeps its channel", ANY],
    sticky_entries_max: [100_000, "conversations that keep their channel"],
    probe_ms: [5_000, "a probe of a resting channel, and the pause between two"],
    models_fetch_ms: [10_000, "fetching a vendor's list of models"],
    searches_max: [4, "web searches of a request, unless its client allows fewer"],
    search_result_tokens: [16_000, "input that one search may add"],
  },
  "Money and storage": {
    admission_wait_ms: [10_000, "a request's wait for money that running requests hold", ANY],
    admission_waiting_max: [10_000, "requests that wait so at once; shared"],
    raise_wait_ms: [2_000, "a running stream's wait for more money", ANY],
    admission_storage_ms: [5_000, "all waits of a request for storage before its vendor", ANY],
    settle_wait_ms: [30_000, "all writes at the end of an answer", ANY],
    console_storage_ms: [15_000, "each wait of a console page for storage", ANY],
    // Zero would be forever to PostgreSQL.
    lock_wait_ms: [500, "a transaction's wait for a row lock in PostgreSQL", SOME_TIME],
    // Together with the wait above it ends before storage counts as down: one account is no outage.
    locked_account_ms: [3_500, "an account's wait for its locked rows, before it fails", SOME_TIME],
    database_connections_max: [
      8,
      "connections to PostgreSQL of a gate and of an office",
      {
        min: 2,
        max: 10_000,
      },
    ],
    console_connections_max: [4, "connections of an office for reading money", SOME],
    // A shorter lease would end instances that are only busy.
    instance_lease_ms: [
      20_000,
      "silence of a process, after which it counts as dead",
      {
        min: 1_000,
        max: HOUR_MS,
      },
    ],
    floor_output_tokens: [1_024, "output that a stream must be able to pay for"],
    floor_unmetered_output_tokens: [8_192, "the same of whole answers and of hidden output"],
    lone_max: [5, "dollars by which one request may pass a soft budget, at least 0.01"],
    loss_account_day: [
      1,
      "dollars of input loss per account and UTC day; then its requests are held at the context",
    ],
    typical_output_tokens_default: [500, "output of an answer, for an estimate without history"],
  },
  "Stored answers": {
    response_ttl_ms: [30 * DAY_MS, "time for which a response is kept (30 days)", ANY],
    response_bytes_max: [8 * MIB, "one kept response as JSON"],
    responses_account_bytes_max: [512 * MIB, "kept responses of an account; the oldest go first"],
    response_chain_turns_max: [500, "turns that one `previous_response_id` may reach back"],
    response_chain_bytes_max: [64 * MIB, "stored turns and items that one request continues"],
    compact_output_tokens_max: [4_096, "output of `/v1/responses/compact`"],
    idempotency_keep_ms: [DAY_MS, "time for which an `Idempotency-Key` is kept (a day)", ANY],
    idempotency_answer_bytes_max: [8 * MIB, "one answer kept under an `Idempotency-Key`"],
    idempotency_account_bytes_max: [512 * MIB, "such answers of an account; the oldest go first"],
  },
  WebSockets: {
    websocket_ms_max: [HOUR_MS, "life of a WebSocket", ANY],
    websocket_key_look_ms: [1_000, "pause between two checks of the keys of WebSockets", ANY],
    // The runtime keeps a message until its last byte is there. An account can make a gate hold this, times its sockets.
    websocket_frame_bytes_max: [4 * MIB, "one message"],
    websockets_per_key_max: [32, "open WebSockets of a key"],
    websockets_per_account_max: [48, "open WebSockets of an account, in each gate"],
    websockets_per_process_max: [1_000, "open WebSockets of a gate"],
    websocket_memory_bytes_max: [128 * MIB, "latest turns that all of them remember, as JSON"],
  },
  "Sign-in": {
    sign_in_attempts_max: [10, "attempts of one address on one form within the window"],
    // Attempts are kept for a day.
    sign_in_window_ms: [MINUTE_MS, "the window, at most a day", { min: 0, max: DAY_MS }],
    sign_in_person_failures_max: [5, "wrong passwords of a person before the next one waits"],
    sign_in_person_wait_ms: [2_000, "the first wait; it doubles", ANY],
    sign_in_person_wait_max_ms: [5 * MINUTE_MS, "the longest wait", ANY],
    sign_in_provider_ms: [5_000, "an OpenID Connect provider's answer about itself"],
    sign_in_provider_away_ms: [MINUTE_MS, "pause after a provider did not answer", ANY],
  },
  "Alerts, mail and payments": {
    alert_look_ms: [MINUTE_MS, "pause between two checks of the alert rules"],
    alert_activity_ms: [
      20 * MINUTE_MS,
      "time after a key's last request in which it is checked",
      ANY,
    ],
    alert_spend_floor_cents: [100, "spend of an hour that can be unusual, at least"],
    notice_tick_ms: [5_000, "pause between two looks for notices to send"],
    notice_batch_max: [20, "notices sent at once"],
    notice_lease_ms: [120_000, "time after which another process sends a taken notice", ANY],
    notice_attempts_max: [10, "attempts for a notice"],
    notice_retry_ms: [30_000, "wait after the first failed attempt; it doubles", ANY],
    notice_retry_ms_max: [6 * HOUR_MS, "longest such wait", ANY],
    notice_keep_ms: [30 * DAY_MS, "time for which finished notices are kept (30 days)", ANY],
    mail_send_ms: [MINUTE_MS, "handing a mail to the mail server"],
    webhook_timeout_ms: [10_000, "a call of a webhook"],
    webhook_failures_max: [20, "failed calls in a row that switch a webhook off"],
    checkout_looks_max: [20, "open Stripe orders that are checked per minute"],
    checkout_look_rest_ms: [5 * MINUTE_MS, "pause between two checks of an order", ANY],
  },
  Drafts: {
    draft_calls_per_minute: [
      60,
      "calls of a key that create, change or render drafts",
      {
        min: 1,
        max: 1_000_000,
      },
    ],
    draft_calls_per_account: [600, "such calls per minute of an account", { min: 1, max: 1e7 }],
    draft_body_bytes_max: [48 * MIB, "body of a call that brings a draft"],
    draft_chars_max: [256 * MIB, "all drafts of an account, with versions and data URLs"],
    draft_render_ms: [10_000, "rendering the articles of a call", SOME_TIME],
    draft_render_threads: [2, "threads that render", SOME],
    draft_render_idle_ms: [MINUTE_MS, "idle time of such a thread"],
    draft_renders_waiting_max: [64, "calls that wait for one", SOME],
    draft_renders_per_account_max: [8, "calls of an account that wait or render", SOME],
    draft_call_ms: [30_000, "a call of the platform"],
    draft_upload_ms: [MINUTE_MS, "an upload to it"],
    draft_answer_bytes_max: [32 * MIB, "its answer: a page of twenty drafts"],
    draft_busy_wait_ms: [MINUTE_MS, "a call's wait for another one that works on the draft", ANY],
    // Zero would look again without a pause.
    draft_pace_percent: [100, "all pauses before looking at the platform again, in percent", SOME],
    draft_look_ms: [MINUTE_MS, "time for which the content of a draft box is believed", ANY],
    draft_pictures_bytes_max: [256 * MIB, "all pictures of one push, as uploaded"],
    image_bytes_max: [10 * MIB, "a picture as it is brought"],
    image_side_px_max: [10_000, "longer side of a picture"],
    image_pixels_max: [50_000_000, "width times height of a picture"],
    image_fetch_ms: [20_000, "fetching a picture, redirects included"],
    image_redirects_max: [3, "redirects on the way to a picture"],
    image_draw_ms: [30_000, "converting a picture; a slower animation becomes still"],
    image_draw_idle_ms: [MINUTE_MS, "idle time of a thread that converts"],
  },
  "Public-account platform": {
    platform_body_bytes_max: [16 * MIB, "body of a call"],
    platform_content_ms: [10_000, "filtering an article", SOME_TIME],
    platform_content_threads: [2, "threads that filter", SOME],
    platform_content_idle_ms: [MINUTE_MS, "idle time of such a thread"],
    platform_content_waiting_max: [512, "articles that wait for one", SOME],
    platform_content_account_max: [
      128,
      "articles of a public account that wait or are filtered",
      SOME,
    ],
    platform_media_bytes_max: [256 * MIB, "files of a public account"],
    platform_draft_chars_max: [256 * MIB, "drafts of a public account"],
    platform_calls_max: [5_000, "calls of a public account in its log, for a week"],
    platform_publish_ms: [500, "time that publishing takes"],
    platform_delay_ms_max: [10 * MINUTE_MS, "longest delay that the test controls may set"],
  },
  Processes: {
    office_start_ms: [MINUTE_MS, "start of an office, before it is ended and tried again"],
    office_idle_ms: [120_000, "time after which an unused office ends", ANY],
    office_look_ms: [5_000, "pause between two looks for work that an office does"],
    restart_rest_ms: [500, "pause before a process that died is started again; it doubles"],
    restart_rest_ms_max: [30_000, "longest such pause"],
    shutdown_delay_ms: [0, "stop, first: `/readyz` is 503 before connections are refused"],
    shutdown_drain_ms: [MINUTE_MS, "stop, second: answers of clients that wait"],
    // Containers give ten seconds, and the process ends two seconds after this at the latest.
    shutdown_end_ms: [6_000, "stop, last: everything else, once no client waits"],
    trace_flush_ms: [3_000, "last spans to a collector when a process ends"],
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Limit>>>>;

type Areas = typeof LIMIT_AREAS;
type Name = { [Area in keyof Areas]: keyof Areas[Area] }[keyof Areas];
export type Limits = { readonly [name in Name]: number };

const LIMITS = Object.assign({}, ...Object.values(LIMIT_AREAS)) as Readonly<Record<Name, Limit>>;

const IS_MILLISECONDS = /_ms(?:_max)?$/;

/** Limits in dollars, with the least that each may be. */
const DOLLARS: Readonly<Partial<Record<Name, number>>> = { lone_max: 0.01, loss_account_day: 0 };

function dollars(env: Environment, name: string, fallback: number, least: number): number {
  const text = env[name];
  if (text === undefined || text === "") return fallback;
  if (isDollars(text, DOLLARS_MAX) && Number(text) >= least) return Number(text);
  throw new ConfigError(
    `${name} is "${text}"; it must be a plain decimal of dollars, such as 5.00, from ${least} to ${DOLLARS_MAX}.`,
  );
}

export const limitVariable = (name: string) => `FAREGATE_${name.toUpperCase()}`;

/** All limits: those of the environment, and the defaults. */
export function readLimits(env: Environment): Limits {
  const limits: Record<string, number> = {};
  for (const name of Object.keys(LIMITS) as Name[]) {
    const variable = limitVariable(name);
    const [value, , bounds = IS_MILLISECONDS.test(name) ? TIMER : ANY] = LIMITS[name];
    const least = DOLLARS[name];
    limits[name] =
      least === undefined
        ? wholeNumber(env, variable, value, bounds.max, bounds.min)
        : dollars(env, variable, value, least);
  }
  return Object.freeze(limits) as Limits;
}
