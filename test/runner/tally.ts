import { existsSync, readFileSync } from "node:fs";

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export const NOTHING: Tally = { passed: 0, failed: 0, skipped: 0 };

/** A process that failed although no test did, or that died before its report, is one failure. */
export function tallyOf(report: string | undefined, succeeded: boolean): Tally {
  if (!report) return { passed: succeeded ? 1 : 0, failed: succeeded ? 0 : 1, skipped: 0 };
  const text = existsSync(report) ? readFileSync(report, "utf8") : "";
  const head = /<testsuites [^>]*>/.exec(text)?.[0] ?? "";
  const number = (name: string) => Number(new RegExp(` ${name}="(\\d+)"`).exec(head)?.[1] ?? 0);
  const skipped = number("skipped");
  const failures = number("failures");
  const passed = number("tests") - failures - skipped;
  return { passed, skipped, failed: succeeded ? failures : Math.max(failures, 1) };
}

export function plus(one: Tally, two: Tally): Tally {
  return {
    passed: one.passed + two.passed,
    failed: one.failed + two.failed,
    skipped: one.skipped + two.skipped,
  };
}

/** The last line of a run, in a form that machines read too. */
export function describe({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
