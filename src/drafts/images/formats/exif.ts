import { viewOf } from "./anatomy.ts";

const ORIENTATION = 0x0112;
const LITTLE = 0x4949;

/** How the picture is to be turned, from what a camera wrote; 1 is as it lies. */
export function orientationIn(exif: Uint8Array): number {
  const view = viewOf(exif);
  if (view.byteLength < 8) return 1;
  const little = view.getUint16(0) === LITTLE;
  const first = view.getUint32(4, little);
  if (first + 2 > view.byteLength) return 1;
  const count = view.getUint16(first, little);
  for (let index = 0; index < count; index += 1) {
    const entry = first + 2 + index * 12;
    if (entry + 12 > view.byteLength) return 1;
    if (view.getUint16(entry, little) === ORIENTATION) {
      const found = view.getUint16(entry + 8, little);
      return found >= 1 && found <= 8 ? found : 1;
    }
  }
  return 1;
}
