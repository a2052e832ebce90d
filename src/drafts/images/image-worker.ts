import { ThreadPool } from "../../lib/threads/thread-pool.ts";
import type { MovingFile } from "./formats/gif-writer.ts";
import type { Inspected } from "./formats/inspect.ts";
import type { Drawn, DrawTask, Sent } from "./image-thread.ts";
import type { PictureKind } from "./picture.ts";

export interface ImageWorkerLimits {
  readonly image_draw_ms: number;
  readonly image_draw_idle_ms: number;
}

/** One draws still pictures and one moving ones, so that none waits behind an animation. */
const THREADS = 2;
/** Each caller waits in a queue of its own already, so this bound is never reached. */
const WAITING_MAX = 1_000;

/** Reads and draws pictures in threads, since one with many parts or pixels takes seconds. */
export interface ImageWorker {
  /** Nothing where the file has too many parts. */
  inspect(kind: PictureKind, bytes: Uint8Array): Promise<Inspected | undefined>;
  /** A PNG of any file that the drawing library can read. An animation gives its first frame. */
  png(bytes: Uint8Array): Promise<Uint8Array>;
  /** The picture before white, as paper would show it. */
  onWhite(bytes: Uint8Array): Promise<Uint8Array>;
  /** An animation as a GIF; nothing where none of so many bytes can be made in time. */
  gif(kind: "png" | "webp", bytes: Uint8Array, bytesMax: number): Promise<MovingFile | undefined>;
}

export function openImageWorker(limits: ImageWorkerLimits): ImageWorker {
  const file = new URL("./image-thread.ts", import.meta.url);
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
    async inspect(kind, bytes) {
      const found = (await pool.run("still", { work: "inspect", kind, bytes })) as Sent | undefined;
      return found && { ...found, cleaned: found.cleaned ?? bytes };
    },
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
