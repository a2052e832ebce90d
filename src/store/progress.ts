/** What somebody waits for. */
export type Step = "copying" | "packing" | "unpacking" | "proving" | "moving" | "comparing";

/** Tells how far a step is. It may throw, which ends the work and leaves nothing of it. */
export type Progress = (step: Step, done: number, total: number) => Promise<void>;
