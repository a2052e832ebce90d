import { Fault } from "../../lib/faults.ts";
import { errorClass } from "../../wechat/errors.ts";
import type { PlatformRefusal } from "../contract/push.ts";

const ERRMSG_CHARS_MAX = 500;

/** Fields of an article by the code that complains of them. The platform itself names none. */
const FIELDS: Readonly<Record<number, string>> = {
  40007: "cover",
  40033: "title",
  41039: "source_url",
  44003: "articles",
  45002: "source.text",
  45003: "title",
  45004: "digest",
  45005: "source_url",
  45008: "articles",
  45110: "author",
  45166: "source.text",
  53404: "product_key",
  53405: "product_key",
  53406: "product_key",
  88000: "open_comment",
};

const FIXES: Readonly<Record<number, string>> = {
  40001:
    "Check the AppSecret; if another program fetches tokens for this AppID, let it use stable_token too.",
  40007:
    "The picture or draft is not known to this public account: upload it as permanent material of this account.",
  40013: "Check the AppID.",
  40066: "Check the platform's address: this path is not known there.",
  40113: "Use a JPEG or PNG whose name ends with what it is.",
  40125: "Check the AppSecret.",
  40243: "Unfreeze the AppSecret on the platform's developer page.",
  41005: "The picture is empty; use another one.",
  41039: "Use an http or https address for the original.",
  45002: "Shorten the text or take out inline styles and drawings.",
  45003: "Shorten the title.",
  45004: "Shorten the digest.",
  45005: "Shorten the address of the original.",
  45008: "Use fewer articles.",
  45009: "Today's calls are used up; they come back at midnight of China's time.",
  45011: "Wait a minute.",
  45110: "Shorten the author's name.",
  45166:
    "Take out what the platform does not take: cards, frames, or a text too long for an image message.",
  48001: "This public account has no right to this call; see its interface permissions.",
  53404: "The account may not sell any more: take the product out.",
  53405: "Check the product's key and that the product is on sale.",
  53406: "Enable e-commerce for the public account first.",
  53503: "The draft did not pass the platform's check; open it in the platform's editor.",
  53504: "Use the draft on the platform's own site.",
  53505: "Save the draft by hand on the platform's own site, then publish.",
  61003: "The public account has not authorised this third-party platform, or not any more.",
  61005: "The component_verify_ticket is too old: hand on the newest one.",
  61006: "The component_verify_ticket is wrong: hand on the newest one as the platform pushed it.",
  61007: "The third-party platform needs permission set 11 or 100 of this account.",
  61011: "Check component_appid.",
  61023: "The authorizer_refresh_token is not good any more: have the account authorised again.",
  88000: "The account has no right to comments: switch comments off.",
};

const CLASS_FIXES: Readonly<Record<string, string>> = {
  token: "The access token was refused twice; check the AppSecret.",
  config: "Check the public account's settings and rights.",
  ip: "Put this address on the platform's IP allow-list.",
  human: "An administrator of the public account has to confirm this address.",
  input: "Correct what the message names.",
  limit: "Try again later.",
  other: "Ask the platform's support with the rid.",
};

/** The platform's request id, which its support asks for. */
function ridOf(errmsg: string): string | null {
  return /\brid: ([0-9a-f]{6,8}-[0-9a-f]{6,8}-[0-9a-f]{6,8})/.exec(errmsg)?.[1] ?? null;
}

/** Our own address as the platform sees it, from the words of its refusal. */
function ipOf(errmsg: string): string | null {
  const found = /invalid ip ([0-9a-fA-F:.]+)/.exec(errmsg)?.[1];
  return found?.replace(/^::ffff:/, "").replace(/[.:]+$/, "") ?? null;
}

export function readRefusal(errcode: number, words: string): PlatformRefusal {
  // Whoever answers may say megabytes.
  const errmsg = words.slice(0, ERRMSG_CHARS_MAX);
  const errorKind = errorClass(errcode);
  const ip = errorKind === "ip" ? ipOf(errmsg) : null;
  const fix = FIXES[errcode] ?? CLASS_FIXES[errorKind] ?? "";
  return {
    errcode,
    errmsg,
    rid: ridOf(errmsg),
    class: errorKind,
    field: FIELDS[errcode] ?? null,
    fix: ip === null ? fix : `Put ${ip} on the platform's IP allow-list.`,
    ip,
  };
}

/** Nothing was sent: the platform was not reached, or is not what its address says. */
export function unreached(message: string, errorKind: "unreachable" | "config"): PlatformRefusal {
  const fix =
    errorKind === "config"
      ? "Check the platform's address."
      : "Nothing was stored; try again once the platform answers.";
  return {
    errcode: null,
    errmsg: message,
    rid: null,
    class: errorKind,
    field: null,
    fix,
    ip: null,
  };
}

/** The proxy that the platform is called by stood in the way; nothing has come to the platform. */
export function proxyRefusal(message: string): PlatformRefusal {
  const fix = "Check the address, name and password of the proxy, and whom it lets out.";
  return { ...unreached(message, "config"), class: "proxy", fix };
}

/** No token was had from whoever has it, so the platform was not even called. */
export function withoutToken(message: string, fix: string) {
  const refusal: PlatformRefusal = { ...unreached(message, "config"), class: "token_source", fix };
  return { kind: "refused", refusal } as const;
}

/** What an update has done before one of its articles was refused. */
function replacedWords(replaced: number | undefined): string {
  if (replaced === undefined) return "";
  const those = replaced === 1 ? "The article before it was" : `The ${replaced} before it were`;
  return ` ${those} replaced in the box; the others are there as before.`;
}

function refusedThing({ picture, replaced }: PlatformRefusal): string {
  if (picture !== undefined) return `the picture ${picture}`;
  return replaced === undefined ? "it" : `article ${replaced + 1}`;
}

/** The platform's words have no full stop, and ours have. */
function sentence(words: string): string {
  return words.endsWith(".") ? words : `${words}.`;
}

export function refusalFault(
  refusal: PlatformRefusal,
  more: Readonly<Record<string, unknown>> = {},
): Fault {
  const { errcode, errmsg, rid, field, fix, ip, picture, replaced } = refusal;
  const facts = replaced === undefined ? more : { replaced, ...more };
  const help = `${fix}${replacedWords(replaced)}`;
  if (refusal.class === "unreachable") {
    const reached = picture === undefined ? "" : ` with the picture ${picture}`;
    const message = `The platform cannot be reached${reached}: ${errmsg} ${fix}`;
    return new Fault("upstream_unavailable", message, { facts });
  }
  if (refusal.class === "proxy") {
    const sent = replaced === undefined ? "Nothing was sent. " : "";
    return new Fault("proxy_failed", `${errmsg} ${sent}${help}`, {
      facts: { class: refusal.class, fix, ...facts },
    });
  }
  const words = sentence(errcode === null ? errmsg : `${errcode} ${errmsg}`);
  if (refusal.class === "token_source") {
    const named = errcode === null ? errmsg : `The platform refused the token: ${words}`;
    return new Fault("token_unavailable", `${named} ${help}`, {
      facts: { errcode, errmsg, rid, class: refusal.class, fix, ...facts },
    });
  }
  const named = picture === undefined ? {} : { picture };
  const message = `The platform refused ${refusedThing(refusal)}: ${words} ${help}`;
  return new Fault("platform_refused", message, {
    param: field ?? undefined,
    facts: { errcode, errmsg, rid, class: refusal.class, field, fix, ip, ...named, ...facts },
  });
}
