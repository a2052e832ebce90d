import { MATERIAL } from "./fit.ts";
import type { ImageWorker } from "./image-worker.ts";
import { type Picture, type PictureFile, type PictureNote, toFile } from "./picture.ts";

/** An animation as the GIF that the platform shows moving; nothing for one that cannot be made into such a GIF. */
export async function fitMoving(
  picture: Picture,
  worker: ImageWorker,
): Promise<PictureFile | undefined> {
  const { kind, bytes, name, notes } = picture;
  const { cleaned } = picture.anatomy;
  const { bytesMax } = MATERIAL;
  if (kind === "gif") {
    if (cleaned.length > bytesMax) return undefined;
    const removed: readonly PictureNote[] = cleaned === bytes ? [] : ["metadata_removed"];
    return toFile(cleaned, "gif", name, picture, [...notes, ...removed]);
  }
  if (kind !== "png" && kind !== "webp") return undefined;
  const made = await worker.gif(kind, bytes, bytesMax);
  if (made === undefined) return undefined;
  const resized: readonly PictureNote[] = made.width < picture.width ? ["resized"] : [];
  return toFile(made.bytes, "gif", name, made, [...notes, "reencoded", ...resized]);
}
