import { isFromUser, type PromptStep } from "./reading/prompt.ts";

/** What agents put around the words of their user, each an element of its own. */
const ELEMENTS = [
  ...["system-reminder", "command-name", "command-message"],
  ...["local-command-caveat", "local-command-stdout", "ide_opened_file", "ide_selection"],
  ...["environment_context", "user_instructions", "INSTRUCTIONS", "turn_aborted"],
  ...["session_context", "environment_details"],
];
const OPENING = new RegExp(`<(${ELEMENTS.join("|")})>`, "g");
/** The line that Codex writes above the project's instructions. */
const HEADING = /^# AGENTS\.md instructions[^\n]*$/m;

/** opencode quotes the words that it was started with. */
const IN_QUOTES = /^\s*"([^"]+)"\s*$/;

/** The conversation with only the users' own words in their steps; one that has none is gone. */
export function spokenSteps(steps: readonly PromptStep[]): PromptStep[] {
  return steps.flatMap((step): PromptStep[] => {
    if (!isFromUser(step)) return [step];
    const text = usersWords(step.text);
    if (text === step.text) return [step];
    return text === "" && step.attachments.length === 0 ? [] : [{ ...step, text }];
  });
}

function usersWords(text: string): string {
  let kept = "";
  let end = 0;
  for (const match of text.matchAll(OPENING)) {
    if (match.index < end) continue;
    const closing = `</${match[1]}>`;
    const close = text.indexOf(closing, match.index);
    // Looking for the end of every other one as well would take its square of time.
    if (close < 0) break;
    kept += text.slice(end, match.index);
    end = close + closing.length;
  }
  const own = end === 0 ? text : (kept + text.slice(end)).replace(HEADING, "").trim();
  return IN_QUOTES.exec(own)?.[1] ?? own;
}
