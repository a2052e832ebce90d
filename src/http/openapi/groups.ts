// The table of contents: the first group whose pattern a path fits is where it stands.
type Group = readonly [name: string, paths: RegExp, description: string];

const ACCOUNT = "^/api/accounts/:account";

const GROUPS: readonly Group[] = [
  [
    "Responses",
    /^\/v1\/responses/,
    "OpenAI's Responses wire; answers are stored and can be continued.",
  ],
  [
    "Chat completions",
    /^\/v1\/chat\//,
    "OpenAI's older wire; the whole conversation is sent each time.",
  ],
  ["Messages", /^\/v1\/messages/, "Anthropic's wire."],
  ["Gemini", /^\/v1beta\/|^\/v1\/models\/:id:/, "Google's wire."],
  ["Embeddings", /^\/v1\/embeddings/, "Texts as vectors."],
  ["Models", /^\/v1\/models/, "The models that a key may call, in the client's shape."],
  [
    "Spending of a key",
    /^\/v1\/(?:key|credits|generation|estimate|dashboard)/,
    "What a key may spend and has spent, and what a call costs.",
  ],
  ["Drafts by key", /^\/v1\/drafts|^\/mcp/, "Articles for public accounts, by key."],
  ["Public accounts by key", /^\/v1\/wechat\//, "The public accounts that drafts go to."],
  [
    "Sign-in",
    /^\/api\/(?:sign-in-options|sign-up|me|operator-link|invitations)/,
    "The signed-in person, and ways to sign in.",
  ],
  [
    "Team",
    new RegExp(`${ACCOUNT}/(?:members|invitations)`),
    "Members and invitations of an account.",
  ],
  ["Keys", new RegExp(`${ACCOUNT}/keys`), "The keys of an account, with their budgets and limits."],
  [
    "Usage",
    new RegExp(`${ACCOUNT}/(?:overview|usage|requests|entries|models|search)`),
    "What an account called and paid: sums, receipts, entries, files.",
  ],
  ["Alerts", new RegExp(`${ACCOUNT}/alerts`), "What an account is told, and where."],
  [
    "Playground",
    new RegExp(`${ACCOUNT}/playground`),
    "Calls of models for people who are signed in.",
  ],
  [
    "Wallet",
    new RegExp(`${ACCOUNT}/(?:wallet|orders|codes|auto-topup|refunds)`),
    "Top-ups, codes and refunds of an account.",
  ],
  ["Drafts", new RegExp(`${ACCOUNT}/drafts`), "Articles for public accounts, in the console."],
  [
    "Public accounts",
    new RegExp(`${ACCOUNT}/public-accounts`),
    "The public accounts that drafts go to.",
  ],
  ["Channels", /^\/api\/operator\/channels/, "Vendors and their keys."],
  [
    "Models and prices",
    /^\/api\/operator\/(?:models|prices)/,
    "What is offered, and what it costs.",
  ],
  ["Accounts", /^\/api\/operator\/accounts/, "All accounts, their credit and its refunds."],
  ["Codes", /^\/api\/operator\/codes/, "Batches of redeem codes."],
  ["Ledger", /^\/api\/operator\/ledger/, "Whether the ledger is right, and what was earned."],
  [
    "Installation",
    /^\/api\/operator\/|^\/(?:openapi\.json|metrics)$/,
    "Settings, tokens, the audit log and the state of the server.",
  ],
  [
    "Material",
    /^\/api\/platform\//,
    "The page of the built-in platform: its accounts, drafts and publications.",
  ],
  [
    "Platform controls",
    /^\/platform\/__sandbox\//,
    "Clock, faults and state of the built-in platform, for tests.",
  ],
  [
    "Platform",
    /^\/(?:platform|cgi-bin|channels)\//,
    "The built-in public-account platform, on its own wire: every answer has status 200, and an error has an " +
      "`errcode` other than 0.",
  ],
];

/** Where nothing should stand: a path that no group has thought of is described all the same. */
export const OTHER = "Other";

export function groupOf(path: string): string {
  return GROUPS.find(([, paths]) => paths.test(path))?.[0] ?? OTHER;
}

/** Those that something stands in, in their order. */
export function groupsOf(paths: readonly string[]) {
  const used = new Set(paths.map(groupOf));
  return GROUPS.flatMap(([name, , description]) => (used.has(name) ? [{ name, description }] : []));
}
