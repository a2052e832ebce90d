import { workInThread } from "../../lib/threads/thread.ts";
import { readApng } from "./formats/apng-frames.ts";
import { type MovingFile, writeGif } from "./formats/gif-writer.ts";
import { type Inspected, inspect } from "./formats/inspect.ts";
import { readMovingWebp } from "./formats/webp-frames.ts";
import type { PictureKind } from "./picture.ts";
import { drawnOnWhite, drawnPng } from "./pixels.ts";

/** What is asked of the thread that reads and draws. */
export type DrawTask =
  | { readonly work: "inspect"; readonly kind: PictureKind; readonly bytes: Uint8Array }
  | { readonly work: "png" | "on_white"; readonly bytes: Uint8Array }
  | {
      readonly work: "gif";
      readonly kind: "png" | "webp";
      readonly bytes: Uint8Array;
      readonly bytesMax: number;
    };

/** A file that is clean already is not sent back. */
export type Sent = Omit<Inspected, "cleaned"> & { readonly cleaned: Uint8Array | undefined };

export type Drawn = Uint8Array | MovingFile | Sent | undefined;

async function draw(task: DrawTask): Promise<Drawn> {
  if (task.work === "inspect") {
    const found = inspect(task.kind, task.bytes);
    return found && { ...found, cleaned: found.cleaned === task.bytes ? undefined : found.cleaned };
  }
  if (task.work === "gif") {
    const animation = task.kind === "png" ? readApng(task.bytes) : readMovingWebp(task.bytes);
    return animation && writeGif(animation, task.bytesMax);
  }
  return task.work === "png" ? drawnPng(task.bytes) : drawnOnWhite(task.bytes);
}

workInThread(draw);
