import { DOLLARS_MAX, isDollars } from "./dollars.ts";
import { type Environment, wholeNumber } from "./environment.ts";
import { ConfigError } from "./members.ts";

/** Limits of one process. Each is named with its unit, unless it is in dollars, and can be set as FAREGATE_<NAME>. */
const LIMITS = {
  /** Largest request body. Agents send their whole history with every turn. */
  body_bytes_max: 64 * 1024 * 1024,
  /** Objects, lists and texts of one body, and how deep they are nested: what a parser must build. */
  body_parts_max: 100_000,
  body_depth_max: 256,
  /**
   * Elements of its lists and members of its objects: numbers and words are no parts, but some steps write all of them.
   * Vendors take 300,000 tokens in a request for embeddings.
   */
  body_elements_max: 320_000,
  /** A client that sends nothing of its body for this long is cut off. Whole seconds, at most 255. */
  upload_idle_ms: 30_000,
  /**
   * How long a connection waits for the next request of its client. Longer than clients and proxies keep theirs: whoever
   * asks by one that is just being closed here sees a failure. Whole seconds, at most 255.
   */
  client_keep_ms: 240_000,
  /** How long what was read of a key holds while its request waits for its body, a twin or money; then it is looked at again. */
  key_fresh_ms: 1_000,
  /** What is sent to the console is there within this, however steadily it comes: forms are small. */
  form_ms: 60_000,
  /** The same of requests for models, of drafts and of calls of the platform: some are large, and lines may be slow. */
  upload_ms: 600_000,
  /** Bodies being read or waiting for an answer, over all requests, as they lie in memory once parsed. */
  body_bytes_in_flight_max: 512 * 1024 * 1024,
  /** The same of bodies that the office reads, with all copies that are made of them. */
  office_body_bytes_in_flight_max: 256 * 1024 * 1024,
  /** Calls of one address that show no key, token or session, beside pages that are only read. */
  open_calls_per_minute: 600,
  /** From calling a vendor to the first byte of a stream. */
  upstream_first_byte_ms: 120_000,
  /** The same for a whole answer, whose first byte comes only when all of it is there. */
  upstream_answer_ms: 600_000,
  upstream_connect_ms: 10_000,
  /** Silence between two chunks of a vendor's stream. */
  upstream_idle_ms: 120_000,
  /** One request from dispatch to its end, whatever happens in between. */
  upstream_total_ms: 900_000,
  /** The head of a vendor's answer, with those that announce it. */
  upstream_head_bytes_max: 64 * 1024,
  /** What has come of one answer and was not read; beyond it the vendor is not read on. */
  upstream_unread_bytes_max: 256 * 1024,
  /** A whole answer of a vendor, or one event of a stream, unpacked. */
  upstream_answer_bytes_max: 128 * 1024 * 1024,
  /**
   * Whole answers of more than 128 KB, over all requests, until clients have taken them; beyond it vendors are not read on,
   * and what was kept or stored is not unpacked.
   */
  answer_bytes_in_flight_max: 512 * 1024 * 1024,
  /** Those of one account, in percent of that: clients that do not take theirs are not to hold up other accounts. */
  answer_bytes_account_percent: 25,
  /** How long a connection to a vendor waits for the next call, and how many of one origin do. */
  upstream_keep_ms: 60_000,
  upstream_kept_max: 256,
  /** How long a non-stream call is finished for a client that has left. */
  drain_ms: 300_000,
  /** Calls that are finished so at once; beyond them the connection is cut. */
  drains_max: 64,
  /** Further attempts of one request, while its client has not had a byte. */
  retries_max: 2,
  /** Beside them: how often a channel is asked again that failed as if by chance. */
  repeats_max: 1,
  /** Retries may add so much to the calls of a window, and never fewer than the least. */
  retry_budget_percent: 20,
  retry_budget_min: 3,
  /** A channel rests when so many of its attempts in a window failed, once there were enough. */
  channel_window_ms: 30_000,
  channel_attempts_min: 10,
  channel_fault_percent: 50,
  channel_cooldown_ms: 15_000,
  /** A credential that was told to slow down rests: without a time from the vendor, and at most. */
  credential_cooldown_ms: 10_000,
  credential_cooldown_ms_max: 600_000,
  /** A credential that the vendor refuses is asked about again: at first, and at most, after. */
  credential_probe_ms: 60_000,
  credential_probe_ms_max: 3_600_000,
  /** How long a conversation keeps its channel, so that the vendor's cache is hit. */
  sticky_ms: 600_000,
  sticky_entries_max: 100_000,
  /** One question to a resting channel, and to a vendor for its list of models. */
  probe_ms: 5_000,
  models_fetch_ms: 10_000,
  /** A client that takes no bytes for this long counts as gone. */
  client_idle_ms: 60_000,
  /** Silence after which a stream gets a keep-alive event. */
  keep_alive_ms: 15_000,
  /** How long a request waits for money that running requests hold. */
  admission_wait_ms: 10_000,
  /** How long a stream at the end of its room waits for more of it. */
  raise_wait_ms: 2_000,
  /** Requests in the waiting lines of one process. */
  admission_waiting_max: 10_000,
  /** Connections of a gate to PostgreSQL beside its one for money, and as many of the office. */
  database_connections_max: 8,
  /** How long a request waits for an answer of storage, and a page of the console for one of its own. */
  admission_storage_ms: 5_000,
  console_storage_ms: 15_000,
  /**
   * How long a batch of money waits for rows in PostgreSQL that somebody else has locked, and an account that is. Both
   * together end before a settlement is so old that storage counts as down: one account is no outage.
   */
  lock_wait_ms: 500,
  locked_account_ms: 3_500,
  /** Those by which the office reads money for the pages. */
  console_connections_max: 4,
  /** An instance that PostgreSQL has not heard of for so long is dead to the others on it. */
  instance_lease_ms: 20_000,
  /** How long a finished answer waits for its commit while storage is out. */
  settle_wait_ms: 30_000,
  /** Output of one choice without whose price in hand a request waits: where it is seen, and where not. */
  floor_output_tokens: 1_024,
  floor_unmetered_output_tokens: 8_192,
  /** In dollars: by so much at most a request that is alone passes a soft budget. */
  lone_max: 5,
  /** In dollars: an account that loses the house more in a UTC day is held at the model's context. */
  loss_account_day: 1,
  /** Searches of one request, unless its client says less, and what one of them may find. */
  searches_max: 4,
  search_result_tokens: 16_000,
  /** What an answer is taken to have where nothing is known, when its cost is asked for beforehand. */
  typical_output_tokens_default: 500,
  /** Texts in one request for embeddings. */
  embedding_inputs_max: 2_048,
  /** Above this a token count or `n` is a mistake, not a wish. */
  output_tokens_max: 10_000_000,
  choices_max: 128,
  /** Requests per minute of a key that has no limit of its own. */
  key_requests_per_minute: 3_000,
  /** Keys of one account that are not deleted, those that the console calls with for people included. */
  keys_per_account: 1_000,
  /** Refusals of one key for one reason that have a receipt each, by the minute; the rest share one. */
  refusal_receipts_per_minute: 60,
  /** Stored responses: how long, how large one may be, and how much one account may keep. */
  response_ttl_ms: 30 * 24 * 3_600_000,
  response_bytes_max: 8 * 1024 * 1024,
  responses_account_bytes_max: 512 * 1024 * 1024,
  /** Answers under an `Idempotency-Key`: how long, how large one may be, how much an account may keep. */
  idempotency_keep_ms: 24 * 3_600_000,
  idempotency_answer_bytes_max: 8 * 1024 * 1024,
  idempotency_account_bytes_max: 512 * 1024 * 1024,
  /** Turns that one `previous_response_id` may reach back. */
  response_chain_turns_max: 500,
  /** All that it reaches, and all that a request refers to, as it lies in memory. */
  response_chain_bytes_max: 64 * 1024 * 1024,
  /** Output of a turn that only makes a conversation shorter. */
  compact_output_tokens_max: 4_096,
  /** A WebSocket: its life, and how often its key is looked at. */
  websocket_ms_max: 3_600_000,
  websocket_key_look_ms: 1_000,
  /**
   * One message. The runtime keeps a message until its last byte is there, and shows nothing of it before. So this, times the
   * sockets of an account, is what the account can have the gate hold: 192 MiB, measured at less than 230 MiB.
   */
  websocket_frame_bytes_max: 4 * 1024 * 1024,
  /** Open WebSockets of a key, of an account and of one gate. */
  websockets_per_key_max: 32,
  websockets_per_account_max: 48,
  websockets_per_process_max: 1_000,
  /** What all of them remember. */
  websocket_memory_bytes_max: 128 * 1024 * 1024,
  /** Attempts to sign in, of one address on one form, within a window. */
  sign_in_attempts_max: 10,
  sign_in_window_ms: 60_000,
  /** Wrong passwords of one person that make nobody wait, the first wait, and the longest. */
  sign_in_person_failures_max: 5,
  sign_in_person_wait_ms: 2_000,
  sign_in_person_wait_max_ms: 300_000,
  /** How long a provider of identities may take to describe itself, and one that does not is left alone. */
  sign_in_provider_ms: 5_000,
  sign_in_provider_away_ms: 60_000,
  /** Alerts: how often the rules look, how long a used key is looked at, and from what spend on. */
  alert_look_ms: 60_000,
  alert_activity_ms: 1_200_000,
  alert_spend_floor_cents: 100,
  /** The outbox: how often, how many at once, who is dead, how often again, and how long kept. */
  notice_tick_ms: 5_000,
  notice_batch_max: 20,
  notice_lease_ms: 120_000,
  notice_attempts_max: 10,
  notice_retry_ms: 30_000,
  notice_retry_ms_max: 21_600_000,
  notice_keep_ms: 2_592_000_000,
  mail_send_ms: 60_000,
  webhook_timeout_ms: 10_000,
  webhook_failures_max: 20,
  /** Open checkouts at Stripe: how many are asked after in one round, and how long each rests. */
  checkout_looks_max: 20,
  checkout_look_rest_ms: 300_000,
  /** A picture of a draft, as it is brought: its file, its sides, and what it unpacks to. */
  image_bytes_max: 10 * 1024 * 1024,
  image_side_px_max: 10_000,
  image_pixels_max: 50_000_000,
  /** Fetching one picture, redirects included. */
  image_fetch_ms: 20_000,
  image_redirects_max: 3,
  /** Drawing one picture in a thread, an animation included, and how long one without work stays. */
  image_draw_ms: 30_000,
  image_draw_idle_ms: 60_000,
  /** Drafts: one call of a platform, one upload to it, and its largest answer, a page of its box. */
  draft_call_ms: 30_000,
  draft_upload_ms: 60_000,
  draft_answer_bytes_max: 32 * 1024 * 1024,
  /** How long a call waits for another one that sends the same draft. */
  draft_busy_wait_ms: 60_000,
  /** How long drafts wait before they look again at a box, a publication or each other, of what is usual. */
  draft_pace_percent: 100,
  /** How long what was seen of a box is believed, when somebody looks at the drafts. */
  draft_look_ms: 60_000,
  /** Body of one call that brings a draft: pictures of it come as data URLs. */
  draft_body_bytes_max: 48 * 1024 * 1024,
  /** Calls that make, change or render drafts: of a key, or of a person in the console of each kind. */
  draft_calls_per_minute: 60,
  /** The same calls of one account, by all its keys and people together. */
  draft_calls_per_account: 600,
  /** Rendering the articles of one call; what takes longer is given up. */
  draft_render_ms: 10_000,
  /** Threads that render, and how long one without work stays. */
  draft_render_threads: 2,
  draft_render_idle_ms: 60_000,
  /** Calls that wait for one of them: of everybody, and of one account with the one it has there. */
  draft_renders_waiting_max: 64,
  draft_renders_per_account_max: 8,
  /** All drafts of one account together, with their versions and the pictures in their texts. */
  draft_chars_max: 256 * 1024 * 1024,
  /** All pictures of one push, as they are uploaded: until then they are in memory. */
  draft_pictures_bytes_max: 256 * 1024 * 1024,
  /** Body of one call of the public-account platform: a video of 10 MB, or many articles of 1 MB. */
  platform_body_bytes_max: 16 * 1024 * 1024,
  /** Filtering the content of one article there; what takes longer is refused as invalid. */
  platform_content_ms: 10_000,
  /** Threads that filter, and how long one without work stays. */
  platform_content_threads: 2,
  platform_content_idle_ms: 60_000,
  /** Contents that wait for one of them: of everybody, and of one account with the one it has there. */
  platform_content_waiting_max: 512,
  platform_content_account_max: 128,
  /** Files that one public account may keep there, and how long it takes to publish a draft. */
  platform_media_bytes_max: 256 * 1024 * 1024,
  platform_publish_ms: 500,
  /** Drafts that one public account may keep there, and calls of it that are remembered. */
  platform_draft_chars_max: 256 * 1024 * 1024,
  platform_calls_max: 5_000,
  /** How long a test may have a call wait there: beyond the time-out of any client. */
  platform_delay_ms_max: 600_000,
  /** The office: how long it may take to start, how long one that nobody needs stays, how often that is looked at. */
  office_start_ms: 60_000,
  office_idle_ms: 120_000,
  office_look_ms: 5_000,
  /** How long one that keeps dying is left alone: at first, and at most. */
  restart_rest_ms: 500,
  restart_rest_ms_max: 30_000,
  /** Readiness is off for this long before the process stops taking connections. */
  shutdown_delay_ms: 0,
  shutdown_drain_ms: 60_000,
  /**
   * All that follows once no client waits: what is still to be settled, the office, closing the database. Then the process
   * ends, two seconds later at the latest: containers give it ten.
   */
  shutdown_end_ms: 6_000,
  /** How long a process that ends waits for the collector of traces to take the last spans. */
  trace_flush_ms: 3_000,
} as const;

type Name = keyof typeof LIMITS;

interface Bounds {
  readonly min: number;
  readonly max: number;
}

const ANY: Bounds = { min: 0, max: Number.MAX_SAFE_INTEGER };

/**
 * A timer takes 2,147,483,647 ms, and one that is told more rings at once. The end of a server is watched by one
 * that waits for four of these together.
 */
const TIMER: Bounds = { min: 0, max: 500_000_000 };

const IS_MILLISECONDS = /_ms(?:_max)?$/;

/** Limits that have bounds of their own. */
const BOUNDS: Readonly<Partial<Record<Name, Bounds>>> = {
  // Times for which no timer is set: they are held against a clock.
  key_fresh_ms: ANY,
  upstream_first_byte_ms: ANY,
  upstream_answer_ms: ANY,
  upstream_idle_ms: ANY,
  upstream_total_ms: ANY,
  upstream_keep_ms: ANY,
  drain_ms: ANY,
  channel_window_ms: ANY,
  channel_cooldown_ms: ANY,
  credential_cooldown_ms: ANY,
  credential_cooldown_ms_max: ANY,
  credential_probe_ms: ANY,
  credential_probe_ms_max: ANY,
  sticky_ms: ANY,
  client_idle_ms: ANY,
  keep_alive_ms: ANY,
  admission_wait_ms: ANY,
  raise_wait_ms: ANY,
  admission_storage_ms: ANY,
  console_storage_ms: ANY,
  settle_wait_ms: ANY,
  response_ttl_ms: ANY,
  idempotency_keep_ms: ANY,
  websocket_ms_max: ANY,
  websocket_key_look_ms: ANY,
  sign_in_person_wait_ms: ANY,
  sign_in_person_wait_max_ms: ANY,
  sign_in_provider_away_ms: ANY,
  alert_activity_ms: ANY,
  notice_lease_ms: ANY,
  notice_retry_ms: ANY,
  notice_retry_ms_max: ANY,
  notice_keep_ms: ANY,
  checkout_look_rest_ms: ANY,
  draft_busy_wait_ms: ANY,
  draft_look_ms: ANY,
  office_idle_ms: ANY,
  // Seconds that the runtime keeps in a byte.
  upload_idle_ms: { min: 1_000, max: 255_000 },
  client_keep_ms: { min: 1_000, max: 255_000 },
  // Tries are kept for a day.
  sign_in_window_ms: { min: 0, max: 86_400_000 },
  // Below it no vendor's head would fit.
  upstream_head_bytes_max: { min: 1_024, max: 16 * 1024 * 1024 },
  answer_bytes_account_percent: { min: 1, max: 10_000 },
  database_connections_max: { min: 2, max: 10_000 },
  // Zero would be forever to PostgreSQL.
  lock_wait_ms: { min: 1, max: 600_000 },
  locked_account_ms: { min: 1, max: 600_000 },
  console_connections_max: { min: 1, max: 10_000 },
  // Below it an instance that is only busy would seem dead.
  instance_lease_ms: { min: 1_000, max: 3_600_000 },
  platform_content_ms: { min: 1, max: 600_000 },
  platform_content_threads: { min: 1, max: 10_000 },
  platform_content_waiting_max: { min: 1, max: 10_000 },
  platform_content_account_max: { min: 1, max: 10_000 },
  // Never nothing: who waits would look without a pause.
  draft_pace_percent: { min: 1, max: 10_000 },
  // An account without a key could not be used.
  keys_per_account: { min: 1, max: 10_000_000 },
  draft_calls_per_minute: { min: 1, max: 1_000_000 },
  draft_calls_per_account: { min: 1, max: 10_000_000 },
  draft_render_ms: { min: 1, max: 600_000 },
  draft_render_threads: { min: 1, max: 10_000 },
  draft_renders_waiting_max: { min: 1, max: 10_000 },
  draft_renders_per_account_max: { min: 1, max: 10_000 },
};

function boundsOf(name: Name): Bounds {
  return BOUNDS[name] ?? (IS_MILLISECONDS.test(name) ? TIMER : ANY);
}

/** Those in dollars, with the least that each may be. */
const DOLLARS: Readonly<Partial<Record<Name, number>>> = {
  lone_max: 0.01,
  loss_account_day: 0,
};

export type Limits = { readonly [name in Name]: number };

function dollars(env: Environment, name: string, fallback: number, least: number): number {
  const text = env[name];
  if (text === undefined || text === "") return fallback;
  if (isDollars(text, DOLLARS_MAX) && Number(text) >= least) return Number(text);
  throw new ConfigError(
    `${name} is "${text}"; it must be a plain decimal of dollars, such as 5.00, from ${least} to ${DOLLARS_MAX}.`,
  );
}

/** Those that are set, and the others as they are here. */
export function readLimits(env: Environment): Limits {
  const limits: Record<string, number> = {};
  for (const name of Object.keys(LIMITS) as Name[]) {
    const variable = `FAREGATE_${name.toUpperCase()}`;
    const { min, max } = boundsOf(name);
    const least = DOLLARS[name];
    limits[name] =
      least === undefined
        ? wholeNumber(env, variable, LIMITS[name], max, min)
        : dollars(env, variable, LIMITS[name], least);
  }
  return Object.freeze(limits) as Limits;
}
