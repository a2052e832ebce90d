/** The kinds of files that the platform takes: what each is sent as, and how its bytes begin. */
const FORMATS = {
  jpg: { contentType: "image/jpeg", beginning: /^\xff\xd8\xff/ },
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the format begins with one.
  png: { contentType: "image/png", beginning: /^\x89PNG\r\n\x1a\n/ },
  gif: { contentType: "image/gif", beginning: /^GIF8[79]a/ },
  bmp: { contentType: "image/bmp", beginning: /^BM/ },
  mp3: { contentType: "audio/mpeg", beginning: /^(?:ID3|\xff[\xe0-\xff])/ },
  wma: { contentType: "audio/x-ms-wma", beginning: /^\x30\x26\xb2\x75/ },
  wav: { contentType: "audio/wav", beginning: /^RIFF.{4}WAVE/s },
  amr: { contentType: "audio/amr", beginning: /^#!AMR/ },
  mp4: { contentType: "video/mp4", beginning: /^.{4}ftyp/s },
};
/** How many bytes decide. */
const BEGINNING_BYTES = 16;

export type FileFormat = keyof typeof FORMATS;

function isFormat(name: string): name is FileFormat {
  return Object.hasOwn(FORMATS, name);
}

/** What a file claims to be: the platform goes by the end of its name. */
export function claimedFormat(fileName: string): FileFormat | undefined {
  const extension = /\.([a-z0-9]+)$/i.exec(fileName)?.[1]?.toLowerCase() ?? "";
  const name = extension === "jpeg" ? "jpg" : extension;
  return isFormat(name) ? name : undefined;
}

export function isBegunAs(format: FileFormat, bytes: Uint8Array): boolean {
  const beginning = Buffer.from(bytes.subarray(0, BEGINNING_BYTES)).toString("latin1");
  return FORMATS[format].beginning.test(beginning);
}

export function contentTypeOf({ format }: { readonly format: string }): string {
  return isFormat(format) ? FORMATS[format].contentType : "application/octet-stream";
}
