import type { Size } from "./picture.ts";

/** More than anybody shows in an article. Whoever reads frames gives up above it, before making any. */
export const FRAMES_MAX = 1_000;

/** One step of an animation, with a still picture of its own. */
export interface Frame extends Size {
  /**
   * A whole file that any reader of still pictures takes. Made when it is asked for and kept by nobody:
   * all of them at once may weigh many times what was brought.
   */
  still(): Uint8Array;
  readonly x: number;
  readonly y: number;
  readonly delayMs: number;
  /** What becomes of its place before the next one is drawn. */
  readonly after: "keep" | "clear" | "restore";
  /** Whether it is laid over what is there; otherwise it takes its place. */
  readonly over: boolean;
}

export interface Animation extends Size {
  /** How often it is played; 0 is without an end. */
  readonly plays: number;
  readonly frames: readonly Frame[];
}

/** Whether every frame lies on the canvas; what does not was not written by an honest hand. */
export function isSound({ width, height, frames }: Animation): boolean {
  return frames.every(
    (frame) =>
      frame.width > 0 &&
      frame.height > 0 &&
      frame.x + frame.width <= width &&
      frame.y + frame.height <= height,
  );
}
