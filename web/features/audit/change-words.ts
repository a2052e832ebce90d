import type { AuditRecord } from "../../../src/accounts/contract/audit.ts";
import { audit } from "../../i18n/en/audit.ts";
import type { Translate } from "../../i18n/language.tsx";
import { PERIODS } from "../../lib/periods.ts";
import { SIGNUP_MODES } from "../system/choices.ts";
import { ROLES } from "../team/roles.ts";

/** How many changes a row of the list has room for. */
const SHOWN_MAX = 2;

type MemberKey = Extract<keyof typeof audit, `member_${string}`>;

function isMemberKey(key: string): key is MemberKey {
  return key.startsWith("member_") && Object.hasOwn(audit, key);
}

/** A member of the API in words; one that has none yet as the API calls it. */
export function memberWords(name: string, t: Translate): string {
  const key = `member_${name}`;
  return isMemberKey(key) ? t(`audit.${key}`) : name.replaceAll("_", " ");
}

/** What was chosen of a few, in the words of the page where it is chosen. */
function choiceWords(name: string, value: unknown, t: Translate): string | undefined {
  const role = ROLES.find((one) => name === "role" && one === value);
  if (role) return t(`team.role_${role}`);
  const mode = SIGNUP_MODES.find((one) => name === "signup" && one === value);
  return mode && t(`system.signup_${mode}`);
}

/** "Monthly budget $100", and whatever else there is to say of it. */
function budgetWords(value: Readonly<Record<string, unknown>>, t: Translate): string | undefined {
  const { period, amount, ...rest } = value;
  const known = PERIODS.find((one) => one === period);
  if (!known || typeof amount !== "string") return undefined;
  return [`${t(`keys.budget_${known}`)} $${amount}`, ...membersOf(rest, t)].join(" · ");
}

function membersOf(value: object, t: Translate): string[] {
  return Object.entries(value).map(
    ([name, one]) => `${memberWords(name, t)} ${valueWords(one, t, name)}`,
  );
}

/** A value of a change as somebody would write it; `name` is the member that has it. */
export function valueWords(value: unknown, t: Translate, name = ""): string {
  if (value === null || value === undefined || value === "") return "–";
  if (value === true) return t("words.yes");
  if (value === false) return t("words.no");
  if (Array.isArray(value)) {
    return value.length === 0 ? "–" : value.map((one) => valueWords(one, t, name)).join(", ");
  }
  if (typeof value !== "object") return choiceWords(name, value, t) ?? String(value);
  const members = value as Readonly<Record<string, unknown>>;
  return budgetWords(members, t) ?? membersOf(members, t).join(" · ");
}

/** What moved is told by its amount, and by what somebody wrote beside it. */
function amountLine({ detail }: Pick<AuditRecord, "detail">): string {
  const { amount, note } = detail;
  if (typeof amount !== "string") return "";
  return [`$${amount}`, note].filter((text) => typeof text === "string" && text !== "").join(" · ");
}

/** What changed, in a line: "name: first → second". */
export function changeLine(record: Pick<AuditRecord, "changes" | "detail">, t: Translate): string {
  const all = Object.entries(record.changes ?? {});
  if (all.length === 0) return amountLine(record);
  const told = all
    .slice(0, SHOWN_MAX)
    .map(
      ([name, { from, to }]) =>
        `${memberWords(name, t)}: ${valueWords(from, t, name)} → ${valueWords(to, t, name)}`,
    );
  const more = all.length - told.length;
  return [...told, ...(more > 0 ? [t("audit.moreChanges", { count: more })] : [])].join("; ");
}
