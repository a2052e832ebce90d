import type { PublicAccount, Refusal } from "./draft.ts";
import type { PlatformClient } from "./platform-client.ts";
import type { Reply } from "./platform-wire.ts";

/** One thing that the doctor looked at. */
export interface Finding {
  readonly check: "credential" | "ip" | "draft_right" | "publish_right" | "quota";
  readonly state: "ok" | "failed" | "unknown" | "skipped";
  readonly message: string;
  readonly fix: string | null;
  /** The address of this gateway as the platform sees it, to be put on its list. */
  readonly ip: string | null;
  readonly errcode: number | null;
  readonly rid: string | null;
}

export interface Diagnosis {
  readonly publicAccountId: string;
  readonly sandbox: boolean;
  /** Whether drafts can be pushed. */
  readonly healthy: boolean;
  readonly findings: readonly Finding[];
  readonly drafts: number | null;
  readonly quota: { readonly limit: number; readonly used: number; readonly left: number } | null;
}

type Check = Finding["check"];

function finding(check: Check, state: Finding["state"], message: string): Finding {
  return { check, state, message, fix: null, ip: null, errcode: null, rid: null };
}

function failed(check: Check, refusal: Refusal): Finding {
  const { errcode, errmsg, fix, ip, rid } = refusal;
  const message = errcode === null ? errmsg : `${errcode} ${errmsg}`;
  return { check, state: "failed", message, fix, ip, errcode, rid };
}

function judged(check: Check, reply: Reply<unknown>, good: string): Finding {
  if (reply.kind === "ok") return finding(check, "ok", good);
  if (reply.kind === "refused") return failed(check, reply.refusal);
  return finding(check, "unknown", `The platform gave no answer: ${reply.reason}`);
}

/** One call tells of both: an address that is not on the list is refused before the secret is judged. */
function credentialFindings(reply: Reply<unknown>): readonly Finding[] {
  const isIp =
    reply.kind === "refused" && (reply.refusal.class === "ip" || reply.refusal.class === "human");
  if (reply.kind === "refused" && isIp) {
    const skipped = "The credential is only judged once the address is allowed.";
    return [finding("credential", "skipped", skipped), failed("ip", reply.refusal)];
  }
  const credential = judged("credential", reply, "AppID and AppSecret are good.");
  if (reply.kind === "ok") {
    return [credential, finding("ip", "ok", "This gateway's address is allowed.")];
  }
  return [credential, finding("ip", "skipped", "Not known, since no token was had.")];
}

/** Looks at a public account without changing anything on it. */
export async function examine(account: PublicAccount, client: PlatformClient): Promise<Diagnosis> {
  const base = { publicAccountId: account.id, sandbox: account.kind === "built-in" };
  const credential = await client.checkCredential();
  const first = credentialFindings(credential);
  if (credential.kind !== "ok") {
    const rest = (["draft_right", "publish_right", "quota"] as const).map((check) =>
      finding(check, "skipped", "Not known, since no token was had."),
    );
    return { ...base, healthy: false, findings: [...first, ...rest], drafts: null, quota: null };
  }
  const count = await client.count();
  const publishing = await client.checkPublishing();
  const quota = await client.addQuota();
  const drafts = count.kind === "ok" ? count.value : null;
  const left = quota.kind === "ok" ? quota.value : null;
  const findings = [
    ...first,
    judged("draft_right", count, `The box can be read; it has ${drafts} drafts.`),
    judged("publish_right", publishing, "Drafts can be published from here."),
    left !== null && left.left <= 0
      ? finding("quota", "failed", `All ${left.limit} drafts of today are used up.`)
      : judged("quota", quota, `${left?.left} of ${left?.limit} drafts are left today.`),
  ];
  const isNeeded = (check: Check) => check !== "publish_right" && check !== "quota";
  const healthy =
    findings.every(({ check, state }) => !isNeeded(check) || state === "ok") &&
    (left === null || left.left > 0);
  return { ...base, healthy, findings, drafts, quota: left };
}
