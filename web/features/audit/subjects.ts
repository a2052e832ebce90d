import { audit } from "../../i18n/en/audit.ts";

type SubjectKey = Extract<keyof typeof audit, `subject_${string}`>;
type Subject = SubjectKey extends `subject_${infer Name}` ? Name : never;

/** What actions are about, as they are filtered: `key` is every `key.…`. In the order of the words. */
export const SUBJECTS = Object.keys(audit)
  .filter((key): key is SubjectKey => key.startsWith("subject_"))
  .map((key) => key.slice("subject_".length) as Subject);
