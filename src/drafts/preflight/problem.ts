import { Fault } from "../../lib/faults.ts";
import type { Problem } from "../contract/preview.ts";

/** The path of a problem's field, as errors name it. */
function problemPath({ article, field }: Problem): string {
  return field === "articles" ? "articles" : `articles[${article}].${field}`;
}

export function hasErrors(problems: readonly Problem[]): boolean {
  return problems.some(({ severity }) => severity === "error");
}

/** Refuses what cannot be sent; the whole list stands in the body, the first error in the message. */
export function preflightFault(problems: readonly Problem[]): Fault {
  const first = problems.find(({ severity }) => severity === "error");
  const message = first?.message ?? "The articles cannot be sent.";
  return new Fault("preflight_failed", message, {
    param: first && problemPath(first),
    facts: { problems },
  });
}
