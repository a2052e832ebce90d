import { audit } from "../../i18n/en/audit.ts";
import type { Translate } from "../../i18n/language.tsx";

type SubjectKey = Extract<keyof typeof audit, `subject_${string}`>;
type Subject = SubjectKey extends `subject_${infer Name}` ? Name : never;

/** What actions are about, as they are filtered: `key` is every `key.…`. In the order of the words. */
export const SUBJECTS = Object.keys(audit)
  .filter((key): key is SubjectKey => key.startsWith("subject_"))
  .map((key) => key.slice("subject_".length) as Subject);

type ActionKey = Extract<keyof typeof audit, `action_${string}`>;

function isActionKey(key: string): key is ActionKey {
  return key.startsWith("action_") && Object.hasOwn(audit, key);
}

/** `key.create` in words; an action that has none yet as it is written. */
export function actionWords(action: string, t: Translate): string {
  const key = `action_${action.replaceAll(".", "_")}`;
  return isActionKey(key) ? t(`audit.${key}`) : action;
}
