import { workInThread } from "../../lib/threads/thread.ts";
import { readApng } from "./formats/apng-frames.ts";
import { type MovingFile, writeGif } from "./formats/gif-writer.ts";
import { readMovingWebp } from "./formats/webp-frames.ts";
import { drawnOnWhite, drawnPng } from "./pixels.ts";

/** What is asked of the thread that draws. */
export type DrawTask =
  | { readonly work: "png" | "on_white"; readonly bytes: Uint8Array }
  | {
      readonly work: "gif";
      readonly kind: "png" | "webp";
      readonly bytes: Uint8Array;
      readonly bytesMax: number;
    };

export type Drawn = Uint8Array | MovingFile | undefined;

async function draw(task: DrawTask): Promise<Drawn> {
  if (task.work === "gif") {
    const animation = task.kind === "png" ? readApng(task.bytes) : readMovingWebp(task.bytes);
    return animation && writeGif(animation, task.bytesMax);
  }
  return task.work === "png" ? drawnPng(task.bytes) : drawnOnWhite(task.bytes);
}

workInThread(draw);
