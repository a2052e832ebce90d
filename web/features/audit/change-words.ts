import type { AuditRecord } from "../../../src/accounts/contract/audit.ts";
import { audit } from "../../i18n/en/audit.ts";
import type { Speech, Translate } from "../../i18n/language.tsx";
import { formatMoney } from "../../lib/format.ts";
import { PERIODS } from "../../lib/periods.ts";
import { SIGNUP_MODES } from "../system/choices.ts";
import { ROLES } from "../team/roles.ts";

/** How many changes a row of the list has room for. */
const SHOWN_MAX = 2;

/** Members that are amounts in USD. */
const AMOUNTS = ["amount", "daily_max", "overdraft", "signup_credit", "threshold"];
const DECIMAL = /^-?\d+(?:\.\d+)?$/;

type Words = Pick<Speech, "t" | "locale">;

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
function choiceWords(name: string, value: unknown, { t }: Words): string | undefined {
  const role = ROLES.find((one) => name === "role" && one === value);
  if (role) return t(`team.role_${role}`);
  const mode = SIGNUP_MODES.find((one) => name === "signup" && one === value);
  return mode && t(`system.signup_${mode}`);
}

function amountWords(name: string, value: unknown, { locale }: Words): string | undefined {
  if (!AMOUNTS.includes(name) || typeof value !== "string" || !DECIMAL.test(value))
    return undefined;
  return formatMoney(value, locale, true);
}

/** "Monthly budget $100.00", and the other members of the budget. */
function budgetWords(value: Readonly<Record<string, unknown>>, words: Words): string | undefined {
  const { period, amount, ...rest } = value;
  const known = PERIODS.find((one) => one === period);
  if (!known || typeof amount !== "string") return undefined;
  const budget = `${words.t(`keys.budget_${known}`)} ${valueWords(amount, words, "amount")}`;
  return [budget, ...membersOf(rest, words)].join(" · ");
}

function membersOf(value: object, words: Words): string[] {
  return Object.entries(value).map(
    ([name, one]) => `${memberWords(name, words.t)} ${valueWords(one, words, name)}`,
  );
}

/** A value of a change as somebody would write it; `name` is the member that has it. */
export function valueWords(value: unknown, words: Words, name = ""): string {
  const { t } = words;
  if (value === null || value === undefined || value === "") return "–";
  if (value === true) return t("words.yes");
  if (value === false) return t("words.no");
  if (Array.isArray(value)) {
    return value.length === 0 ? "–" : value.map((one) => valueWords(one, words, name)).join(", ");
  }
  if (typeof value !== "object") {
    return choiceWords(name, value, words) ?? amountWords(name, value, words) ?? String(value);
  }
  const members = value as Readonly<Record<string, unknown>>;
  return budgetWords(members, words) ?? membersOf(members, words).join(" · ");
}

/** A movement of money: its amount and its note. */
function movementLine({ detail }: Pick<AuditRecord, "detail">, words: Words): string {
  const { amount, note } = detail;
  if (typeof amount !== "string") return "";
  return [valueWords(amount, words, "amount"), note]
    .filter((text) => typeof text === "string" && text !== "")
    .join(" · ");
}

/** What changed, in a line: "name: first → second". */
export function changeLine(record: Pick<AuditRecord, "changes" | "detail">, words: Words): string {
  const { t } = words;
  const all = Object.entries(record.changes ?? {});
  if (all.length === 0) return movementLine(record, words);
  const told = all
    .slice(0, SHOWN_MAX)
    .map(
      ([name, { from, to }]) =>
        `${memberWords(name, t)}: ${valueWords(from, words, name)} → ${valueWords(to, words, name)}`,
    );
  const more = all.length - told.length;
  return [...told, ...(more > 0 ? [t("audit.moreChanges", { count: more })] : [])].join("; ");
}
