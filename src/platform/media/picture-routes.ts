import { Fault } from "../../lib/faults.ts";
import type { Incoming, Route } from "../../lib/route.ts";
import type { MediaLibrary } from "./media-library.ts";

/** Files of strangers on our address: shown as what they are, and running nothing. */
const HEADERS = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; sandbox",
  // Articles are shown in frames that have no origin of their own.
  "cross-origin-resource-policy": "cross-origin",
  "cache-control": "public, max-age=3600",
};

const FOLDERS = ["mmbiz_jpg", "mmbiz_png", "mmbiz_gif", "mmbiz_video"];

async function show(library: MediaLibrary, { params }: Incoming): Promise<Response> {
  const file = await library.shown(params.id ?? "");
  if (file === undefined) throw new Fault("not_found", "There is no such file.");
  const headers = { ...HEADERS, "content-type": file.contentType };
  // A copy over a buffer of its own, as a response wants it.
  return new Response(new Uint8Array(file.bytes), { headers });
}

/** Whether the path of an address is one that these routes answer. */
export function isPicturePath(path: string, base: string): boolean {
  return FOLDERS.some((folder) => {
    const place = `${base}/${folder}/`;
    return path.startsWith(place) && /^[^/]+\/[^/]+$/.test(path.slice(place.length));
  });
}

/** Where uploads are seen by everybody who has their address. */
export function pictureRoutes(library: MediaLibrary, base: string): readonly Route[] {
  return FOLDERS.map((folder) => ({
    method: "GET",
    path: `${base}/${folder}/:id/:size`,
    handle: (incoming) => show(library, incoming),
  }));
}
