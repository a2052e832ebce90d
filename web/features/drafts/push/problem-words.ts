import type { Problem } from "../../../../src/drafts/contract/preview.ts";
import type { PlatformRefusal } from "../../../../src/drafts/contract/push.ts";
import type { MessageKey } from "../../../i18n/catalogue.ts";
import { useSpeech } from "../../../i18n/language.tsx";

const LINE_CODE = /^(title|author|digest)_(too_long|wide|long|control|escaped)$/;
const LINE_NAMES = {
  title: "drafts.heading",
  author: "drafts.author",
  digest: "drafts.digest",
} as const;

function keyOf({ code, line }: Problem): MessageKey {
  // Several diagrams are told as one where their lines are not known.
  const known = code === "diagram_not_drawn" && line === undefined ? "diagrams_not_drawn" : code;
  return `draftProblems.${known.replace(LINE_CODE, "line_$2")}` as MessageKey;
}

/** A problem in the visitor's language; what is not known here, in the server's words. */
export function useProblemWords(): (problem: Problem) => string {
  const { t } = useSpeech();
  // Every message takes these five, whichever of them it uses.
  const say = t as (key: MessageKey, values: Readonly<Record<string, string | number>>) => string;
  const nameOf = ({ picture = t("draftProblems.picture_unnamed"), line }: Problem) =>
    line === undefined ? picture : t("draftProblems.picture_line", { picture, line });
  return (problem) => {
    const { code, message, found = "", limit = "", line = "", taken = [] } = problem;
    const key = keyOf(problem);
    const name = LINE_CODE.exec(code)?.[1] as keyof typeof LINE_NAMES | undefined;
    const field = name ? t(LINE_NAMES[name]) : "";
    const words = say(key, { found, limit, field, line, picture: nameOf(problem) });
    // A key that no catalogue has comes back as it is.
    if (words === key) return message;
    return taken.length === 0
      ? words
      : `${words} (${taken.map(({ name: what }) => what).join(", ")})`;
  };
}

/** Kinds of refusal that say more than the code that came with them. */
const OWN_WORDS = ["token_source", "proxy"];

/** What to do about a refusal of the platform, in the visitor's language. */
export function useRefusalWords(): (
  refusal: Pick<PlatformRefusal, "errcode" | "class" | "fix">,
) => string {
  const { t } = useSpeech();
  return ({ errcode, class: kind, fix }) => {
    // The platform's code speaks of an AppSecret; whoever has none is told whom to ask instead.
    for (const name of OWN_WORDS.includes(kind) ? [kind] : [errcode, kind]) {
      const key = `draftProblems.refusal_${name}` as "draftProblems.refusal_other";
      const words = t(key);
      if (words !== key) return words;
    }
    return fix;
  };
}
