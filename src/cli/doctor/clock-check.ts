import { systemClock } from "../../lib/clock.ts";
import { type Finding, found, type State } from "./finding.ts";

const CHECK = "clock";
const MS_PER_SECOND = 1_000;
/** How far a clock may be off before it matters, and before money is counted in the wrong window. */
const APART_WARNING_MS = 5_000;
const APART_PROBLEM_MS = 60_000;
const LOOK_MS = 100;
const JUMP_MS = 100;

/** What somebody else's clock said, at a moment of ours. */
export interface OtherClock {
  readonly name: string;
  readonly theirMs: number;
  /** When it was asked, and when the answer was there. */
  readonly askedMs: number;
  readonly answeredMs: number;
  /** The finest that it tells. */
  readonly stepMs: number;
}

/** Between asking and hearing anything may have been the moment, so that much is nobody's fault. */
export function apartMs({ theirMs, askedMs, answeredMs, stepMs }: OtherClock): number {
  if (theirMs + stepMs < askedMs) return askedMs - theirMs - stepMs;
  return Math.max(0, theirMs - answeredMs);
}

export function otherFinding(other: OtherClock): Finding {
  const apart = apartMs(other);
  const { name } = other;
  if (apart < APART_WARNING_MS) {
    const seconds = Math.max(1, Math.ceil(apart / MS_PER_SECOND));
    return found(CHECK, "ok", "clockAgrees", { other: name, seconds });
  }
  const state: State = apart < APART_PROBLEM_MS ? "warning" : "problem";
  const seconds = Math.round(apart / MS_PER_SECOND);
  return found(CHECK, state, "clockDiffers", { other: name, seconds });
}

export function steadyFinding(movedMs: number): Finding {
  if (Math.abs(movedMs) < JUMP_MS) return found(CHECK, "ok", "clockSteady");
  return found(CHECK, "warning", "clockJumps", { ms: Math.round(movedMs) });
}

/** Whether the wall's clock goes as the one that only counts. */
export async function steadyCheck(): Promise<Finding> {
  const before = systemClock() - performance.now();
  await Bun.sleep(LOOK_MS);
  return steadyFinding(systemClock() - performance.now() - before);
}
