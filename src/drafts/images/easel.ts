import { ThreadPool } from "../../lib/threads/thread-pool.ts";
import type { Drawn, DrawTask } from "./easel-worker.ts";
import type { MovingFile } from "./formats/gif-writer.ts";

export interface EaselLimits {
  readonly image_draw_ms: number;
  readonly image_draw_idle_ms: number;
}

/** One draws still pictures and one moving ones, so that none waits behind an animation. */
const THREADS = 2;
/** Whoever asks has a place in a line already. */
const WAITING_MAX = 1_000;

/** Draws pictures in threads: to draw one of many pixels takes seconds. */
export interface Easel {
  /** Whatever the drawing library can read, as a PNG; of an animation, its first frame. */
  png(bytes: Uint8Array): Promise<Uint8Array>;
  /** The picture before white, as paper would show it. */
  onWhite(bytes: Uint8Array): Promise<Uint8Array>;
  /** An animation as a GIF; nothing where none of so many bytes can be made in time. */
  gif(kind: "png" | "webp", bytes: Uint8Array, bytesMax: number): Promise<MovingFile | undefined>;
}

export function openEasel(limits: EaselLimits): Easel {
  const file = new URL("./easel-worker.ts", import.meta.url);
  const pool = new ThreadPool<DrawTask, Drawn>(file, {
    threadsMax: THREADS,
    workMs: limits.image_draw_ms,
    idleMs: limits.image_draw_idle_ms,
    waitingMax: WAITING_MAX,
    perNameMax: WAITING_MAX,
  });
  const still = (work: "png" | "on_white") => (bytes: Uint8Array) =>
    pool.run("still", { work, bytes }) as Promise<Uint8Array>;
  return {
    png: still("png"),
    onWhite: still("on_white"),
    async gif(kind, bytes, bytesMax) {
      try {
        const task = { work: "gif", kind, bytes, bytesMax } as const;
        return (await pool.run("moving", task)) as MovingFile | undefined;
      } catch {
        // Too long, or frames that cannot be read: the first of them has been, and is shown.
        return undefined;
      }
    },
  };
}
