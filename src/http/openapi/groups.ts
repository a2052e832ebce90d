// The table of contents: the first group whose pattern a path fits is where it stands.
interface Group {
  readonly name: string;
  readonly description: string;
  readonly paths: RegExp;
}

const ACCOUNT = "^/api/accounts/:account";

const GROUPS: readonly Group[] = [
  {
    name: "Responses",
    description: "OpenAI's wire of responses, which are kept and can be continued.",
    paths: /^\/v1\/responses/,
  },
  {
    name: "Chat completions",
    description: "OpenAI's older wire; the whole conversation is sent each time.",
    paths: /^\/v1\/chat\//,
  },
  {
    name: "Messages",
    description: "Anthropic's wire.",
    paths: /^\/v1\/messages/,
  },
  {
    name: "Gemini",
    description: "Google's wire, below both versions of its paths.",
    paths: /^\/v1beta\/|^\/v1\/models\/:id:/,
  },
  {
    name: "Embeddings",
    description: "Texts as vectors.",
    paths: /^\/v1\/embeddings/,
  },
  {
    name: "Models",
    description: "What a key may call, in the words of whoever asks.",
    paths: /^\/v1\/models/,
  },
  {
    name: "Spending of a key",
    description: "What a key may spend and has spent, what a call would cost and did cost.",
    paths: /^\/v1\/(?:key|credits|generation|estimate|dashboard)/,
  },
  {
    name: "Drafts by key",
    description:
      "Articles for public accounts, for programs: written, looked at, pushed, published.",
    paths: /^\/v1\/drafts|^\/mcp/,
  },
  {
    name: "Public accounts by key",
    description: "Where a program's drafts go.",
    paths: /^\/v1\/wechat\//,
  },
  {
    name: "Sign-in",
    description: "Who one is, and how one comes in.",
    paths: /^\/api\/(?:sign-in-options|sign-up|me|operator-link|invitations)/,
  },
  {
    name: "Team",
    description: "Who belongs to an account, and who is invited to.",
    paths: new RegExp(`${ACCOUNT}/(?:members|invitations)`),
  },
  {
    name: "Keys",
    description: "The keys of an account, with their budgets and limits.",
    paths: new RegExp(`${ACCOUNT}/keys`),
  },
  {
    name: "Usage",
    description: "What an account has called and paid: sums, receipts, entries, as tables too.",
    paths: new RegExp(`${ACCOUNT}/(?:overview|usage|requests|entries|models|search)`),
  },
  {
    name: "Alerts",
    description: "Who is told, and of what.",
    paths: new RegExp(`${ACCOUNT}/alerts`),
  },
  {
    name: "Playground",
    description: "Models called by somebody who is signed in, with the key of their own.",
    paths: new RegExp(`${ACCOUNT}/playground`),
  },
  {
    name: "Wallet",
    description: "Top-ups, codes and refunds of an account.",
    paths: new RegExp(`${ACCOUNT}/(?:wallet|orders|codes|auto-topup|refunds)`),
  },
  {
    name: "Drafts",
    description: "The articles of an account, as the console has them.",
    paths: new RegExp(`${ACCOUNT}/drafts`),
  },
  {
    name: "Public accounts",
    description: "Where an account's drafts go.",
    paths: new RegExp(`${ACCOUNT}/public-accounts`),
  },
  {
    name: "Channels",
    description: "Vendors and the keys they are called with. For operators.",
    paths: /^\/api\/operator\/channels/,
  },
  {
    name: "Models and prices",
    description: "What is offered, and what it costs. For operators.",
    paths: /^\/api\/operator\/(?:models|prices)/,
  },
  {
    name: "Accounts",
    description: "All accounts, their credit and its refunds. For operators.",
    paths: /^\/api\/operator\/accounts/,
  },
  {
    name: "Codes",
    description: "Batches of redeem codes. For operators.",
    paths: /^\/api\/operator\/codes/,
  },
  {
    name: "Ledger",
    description: "Whether the books are right, and what was earned. For operators.",
    paths: /^\/api\/operator\/ledger/,
  },
  {
    name: "Installation",
    description: "Settings, tokens, the audit log and the state of the server. For operators.",
    paths: /^\/api\/operator\/|^\/(?:openapi\.json|metrics)$/,
  },
  {
    name: "Material",
    description: "The page of the built-in platform: its accounts, drafts and publications.",
    paths: /^\/api\/platform\//,
  },
  {
    name: "Platform controls",
    description:
      "The built-in platform as tests need it: its clock, its faults, its state. For operators.",
    paths: /^\/platform\/__sandbox\//,
  },
  {
    name: "Platform",
    description:
      "The built-in public-account platform, on its own wire: every answer has status 200, and an error has an " +
      "`errcode` other than 0.",
    paths: /^\/(?:platform|cgi-bin|channels)\//,
  },
];

/** Where nothing should stand: a path that no group has thought of is described all the same. */
export const OTHER = "Other";

export function groupOf(path: string): string {
  return GROUPS.find(({ paths }) => paths.test(path))?.name ?? OTHER;
}

/** Those that something stands in, in their order. */
export function groupsOf(paths: readonly string[]) {
  const used = new Set(paths.map(groupOf));
  return GROUPS.flatMap(({ name, description }) => (used.has(name) ? [{ name, description }] : []));
}
