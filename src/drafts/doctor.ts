import type { CredentialKind } from "./contract/access-form.ts";
import type { Finding, Diagnosis as Shown } from "./contract/public-account.ts";
import type { PlatformRefusal } from "./contract/push.ts";
import type { Dependencies } from "./dependencies.ts";
import { type Destination, destinationOf, destinationProblems } from "./destination.ts";
import type { PublicAccount } from "./draft.ts";
import { credentialKind } from "./platform-api/account-access.ts";
import type { Reply } from "./platform-api/platform-http.ts";

export interface Diagnosis
  extends Pick<Shown, "sandbox" | "healthy" | "verified" | "findings" | "drafts" | "quota"> {
  readonly publicAccountId: string;
  readonly destination: Destination;
  readonly canPublish: boolean;
}

type Check = Finding["check"];

const NO_TOKEN = "Not known, since no token was had.";
const UNAUTHORIZED = 48001;
const UNAUTHORIZED_COMPONENT = 61007;

function finding(
  check: Check,
  state: Finding["state"],
  message: string,
  more: Partial<Finding> = {},
): Finding {
  const none = { reason: null, fix: null, ip: null, errcode: null, rid: null };
  return { check, state, message, ...none, ...more };
}

function failed(check: Check, refusal: PlatformRefusal): Finding {
  const { errcode, errmsg, fix, ip, rid } = refusal;
  const message = errcode === null ? errmsg : `${errcode} ${errmsg}`;
  return finding(check, "failed", message, { fix, ip, errcode, rid });
}

function judged(check: Check, reply: Reply<unknown>, good: string): Finding {
  if (reply.kind === "ok") return finding(check, "ok", good);
  if (reply.kind === "refused") return failed(check, reply.refusal);
  return finding(check, "unknown", `The platform gave no answer: ${reply.reason}`);
}

/** What it means that a token was had, by how it is had. */
const GOOD: Readonly<Record<CredentialKind, string>> = {
  secret: "AppID and AppSecret are good.",
  supplied: "A supplied token is there; the platform was not asked for one.",
  component: "The third-party platform has a token of this account.",
};

/** One call tells of both. Which of the two the platform looks at first, it does not say. */
function credentialFindings(
  reply: Reply<unknown>,
  kind: CredentialKind,
  proxy: string | undefined,
): readonly Finding[] {
  const refusal = reply.kind === "refused" ? reply.refusal : undefined;
  const skipped = (message: string) => finding("credential", "skipped", message, { reason: kind });
  if (refusal?.class === "ip" || refusal?.class === "human") {
    const words = "Not known: the platform refused the address that it was called from.";
    return [skipped(words), failed("ip", refusal)];
  }
  if (refusal?.class === "proxy") {
    const words = "Not known: the proxy did not let the call through.";
    return [failed("proxy", refusal), skipped(words), finding("ip", "skipped", NO_TOKEN)];
  }
  const credential = { ...judged("credential", reply, GOOD[kind]), reason: kind };
  return [...proxyFindings(proxy), credential, ipFinding(reply, kind, proxy)];
}

function proxyFindings(proxy: string | undefined): readonly Finding[] {
  if (proxy === undefined) return [];
  return [finding("proxy", "ok", `The platform is called by the proxy ${proxy}.`)];
}

/** The platform looks at its list where tokens are fetched. */
function ipFinding(
  reply: Reply<unknown>,
  kind: CredentialKind,
  proxy: string | undefined,
): Finding {
  if (reply.kind !== "ok") return finding("ip", "skipped", NO_TOKEN);
  if (kind !== "secret") {
    const message = "Looked at by the platform when a token is fetched; none was fetched now.";
    return finding("ip", "skipped", message, { reason: "not_fetched" });
  }
  const who = proxy === undefined ? "This gateway's address" : "The proxy's address";
  return finding("ip", "ok", `${who} is allowed.`);
}

/** The platform's right and our own switches: all of them are needed. */
function publishFinding(reply: Reply<unknown>, account: PublicAccount, isOn: boolean): Finding {
  const check = "publish_right";
  if (reply.kind === "refused" && reply.refusal.errcode === UNAUTHORIZED) {
    const message =
      "The public account is not verified, or of a kind that cannot be: it can keep drafts, but it " +
      "cannot publish or mass-send them by this interface.";
    const fix = "Publish by hand on the platform's own site, or have the account verified there.";
    return { ...failed(check, reply.refusal), message, fix, reason: "unverified" };
  }
  if (reply.kind === "refused" && reply.refusal.errcode === UNAUTHORIZED_COMPONENT) {
    const fix = "Publishing needs permission set 7 of this account for the third-party platform.";
    return { ...failed(check, reply.refusal), fix, reason: "component_unauthorized" };
  }
  if (reply.kind !== "ok") return judged(check, reply, "");
  if (!isOn) {
    const message = "The platform would let this account publish, but publishing is off here.";
    const fix = "The operator can set FAREGATE_DRAFTS_PUBLISH=on.";
    return finding(check, "off", message, { fix, reason: "publish_off" });
  }
  if (!account.publishAllowed) {
    const message =
      "The platform would let this account publish, but here it is not allowed for the account.";
    const fix = "An owner can set publish_allowed for it.";
    return finding(check, "off", message, { fix, reason: "publish_not_allowed" });
  }
  return finding(check, "ok", "Drafts can be published from here.");
}

function verifiedBy(publishing: Reply<unknown>): boolean | null {
  if (publishing.kind === "ok") return true;
  const isRefused = publishing.kind === "refused" && publishing.refusal.errcode === UNAUTHORIZED;
  return isRefused ? false : null;
}

function destinationFindings(account: PublicAccount): readonly Finding[] {
  return destinationProblems(account).map(({ code, message }) =>
    finding("destination", "warning", message, { reason: code }),
  );
}

function quotaFinding(reply: Reply<NonNullable<Diagnosis["quota"]>>): Finding {
  const quota = reply.kind === "ok" ? reply.value : null;
  if (quota !== null && quota.left <= 0) {
    const message = `All ${quota.limit} drafts of today are used up.`;
    return finding("quota", "failed", message, { reason: "used_up" });
  }
  return judged("quota", reply, `${quota?.left} of ${quota?.limit} drafts are left today.`);
}

/** Credential, address, rights and quota of a public account, without changing anything on it. */
export async function examine(
  { publicAccounts, clientFor, usualProxy, publishOn }: Dependencies,
  accountId: string,
  publicAccount: string | undefined,
): Promise<Diagnosis> {
  const account = await publicAccounts.find(accountId, publicAccount);
  const client = clientFor(account);
  const { platformUrl } = account;
  const usual = platformUrl === null ? undefined : usualProxy?.(platformUrl);
  const proxy = account.access?.proxyOrigin ?? (usual && new URL(usual).origin);
  const base = {
    publicAccountId: account.id,
    sandbox: account.kind === "built-in",
    destination: destinationOf(account),
  };
  const credential = await client.checkCredential();
  const first = credentialFindings(credential, credentialKind(account), proxy);
  const last = destinationFindings(account);
  if (credential.kind !== "ok") {
    const rest = (["draft_right", "publish_right", "quota"] as const).map((check) =>
      finding(check, "skipped", NO_TOKEN),
    );
    const nothing = {
      healthy: false,
      canPublish: false,
      verified: null,
      drafts: null,
      quota: null,
    };
    return { ...base, ...nothing, findings: [...first, ...rest, ...last] };
  }
  const count = await client.count();
  const publishing = await client.checkPublishing();
  const quotaReply = await client.addQuota();
  const drafts = count.kind === "ok" ? count.value : null;
  const quota = quotaReply.kind === "ok" ? quotaReply.value : null;
  const publishRight = publishFinding(publishing, account, publishOn);
  const draftRight = judged("draft_right", count, `The box can be read; drafts in it: ${drafts}.`);
  return {
    ...base,
    healthy: draftRight.state === "ok" && (quota === null || quota.left > 0),
    canPublish: publishRight.state === "ok",
    verified: verifiedBy(publishing),
    findings: [...first, draftRight, publishRight, quotaFinding(quotaReply), ...last],
    drafts,
    quota,
  };
}
