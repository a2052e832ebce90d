import { getPriority, setPriority } from "node:os";

/** Whoever stands back gets a third of what one beside it gets that does not, where both want the same core. */
const NICER_BY = 5;
/** The most there is. */
const NICEST = 19;

/**
 * Where more threads have work than there are cores, those go first that did not stand back. It is about the thread that
 * calls, and those that it starts from then on; elsewhere than on Linux it would be about the whole process.
 */
export function standBack(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(Math.min(NICEST, getPriority() + NICER_BY));
  } catch {
    // Whoever is not allowed to goes on as it was.
  }
}
