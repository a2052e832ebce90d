// How a member may look whose schema shows no example of its own, by its name.

const TEXTS: Readonly<Record<string, string>> = {
  accent: "#2a52cc",
  account_id: "acct_01jc8z4v",
  account_name: "Team A",
  action: "key.create",
  actor: "ann@example.com",
  appid: "wx0123456789abcdef",
  article_id: "a1B2c3D4",
  author: "Ann",
  by: "ann@example.com",
  channel: "openai",
  channels: "openai",
  class: "credential",
  code: "invalid_value",
  codes: "FG-7Q2M-X9KD-4TRW",
  content: "<p>Text</p>",
  cover_idea: "A lighthouse at dawn",
  created_by: "ann@example.com",
  day: "2026-11-01",
  digest: "What it is about",
  display_name: "Sandbox",
  draft_id: "drf_01jc8z4v",
  email: "ann@example.com",
  en: "Plain",
  endpoint: "responses",
  errmsg: "ok",
  fallbacks: "sandbox-1.0",
  field: "title",
  fix: "Write a shorter title.",
  from: "2026-11-01",
  html: "<p>Text</p>",
  ink: "#1b1f27",
  invited_by: "ann@example.com",
  ip_list: "127.0.0.1",
  key_id: "key_01jc8z4v",
  key_name: "Production",
  kind: "topup",
  last_four: "x7Qa",
  markup_percent: "20",
  media_id: "mFq3x0Zc8",
  message: "What is wrong, in words.",
  metrics_url: "http://localhost:8080/metrics",
  model: "sandbox-1.0",
  models: "sandbox-1.0",
  networks: "10.0.0.0/8",
  note: "A top-up",
  order_id: "ord_01jc8z4v",
  owned_by: "faregate",
  paper: "#ffffff",
  payment_amount: "12.50",
  payment_currency: "usd",
  picture: "cover.jpg",
  problems: "A sum is not that of its entries.",
  protocols: "responses",
  public_account_id: "pub_01jc8z4v",
  public_url: "http://localhost:8080",
  rate: "7.1",
  request: "req_01jc8z4v",
  request_id: "req_01jc8z4v",
  rids: "6919a3c0-1a2b3c4d-5e6f7a8b",
  rules: "min_output",
  runtime: "Bun 1.4.4",
  secret: "sk-fg-…",
  server: "mail.example.com",
  serves: "sandbox-1.0",
  source: "shipped",
  source_url: "https://example.com/article",
  stored: "A title",
  subject: "mail",
  submitted: "A title",
  target: "key_01jc8z4v",
  text: "Text",
  theme: "plain",
  time_zone: "UTC",
  title: "A title",
  titles: "A title",
  to: "2026-11-30",
  token_link: "http://localhost:8080/console/invitation#…",
  unpriced: "a-model-without-a-price",
  url: "https://example.com/",
  value: "color",
  vendor: "openai",
  version: "plan/2026-11-01",
  zh: "素",
};

const NUMBERS: Readonly<Record<string, number>> = {
  http_status: 200,
  status: 200,
  x1: 0,
  y1: 0,
};

/** What is there only when something has happened, which in an example it has not. */
const ABSENT = new Set([
  ...["cooled_until", "deleted_at", "display_currency", "error", "failure", "last_error"],
  ...["message", "refusal", "revoked_at", "problem"],
]);

/** How the ids of things begin and what they are called, by the name of their schema. */
const THINGS: readonly (readonly [within: RegExp, prefix: string, name: string])[] = [
  [/Key/, "key_", "Production"],
  [/PublicAccount/, "pub_", "Our public account"],
  [/Account/, "acct_", "Team A"],
  [/Person|Member/, "usr_", "Ann"],
  [/Request/, "req_", "Production"],
  [/Invitation/, "inv_", "Team A"],
  [/Token/, "otk_", "deploy"],
  [/Audit/, "aud_", ""],
  [/Order/, "ord_", ""],
  [/Refund/, "ref_", ""],
  [/Batch/, "batch_", "Spring"],
  [/Code/, "code_", ""],
  [/Push/, "psh_", ""],
  [/Draft/, "drf_", ""],
  [/^/, "id_", "A name"],
];

/** Where a value stands: its member, and the named schema around it. */
export interface ValuePosition {
  readonly member: string;
  readonly within: string;
}

export function isAbsent({ member }: ValuePosition): boolean {
  return ABSENT.has(member);
}

export function sampleText({ member, within }: ValuePosition): string | undefined {
  const [, prefix = "", name] = THINGS.find(([pattern]) => pattern.test(within)) ?? [];
  if (member === "id") return `${prefix}01jc8z4v`;
  return member === "name" ? name : TEXTS[member];
}

export function sampleNumber({ member }: ValuePosition): number {
  return NUMBERS[member] ?? 1;
}
