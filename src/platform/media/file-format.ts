/** A kind of file that the platform takes, known by its name and by how it begins. */
export interface FileFormat {
  readonly name: "jpg" | "png" | "gif" | "bmp" | "mp3" | "wma" | "wav" | "amr" | "mp4";
  readonly extensions: readonly string[];
  readonly contentType: string;
  isBegunBy(bytes: Uint8Array): boolean;
}

function hasAt(bytes: Uint8Array, offset: number, wanted: readonly number[]): boolean {
  return wanted.every((byte, i) => bytes[offset + i] === byte);
}

function hasText(bytes: Uint8Array, offset: number, wanted: string): boolean {
  return hasAt(bytes, offset, [...Buffer.from(wanted, "latin1")]);
}

const FORMATS: readonly FileFormat[] = [
  {
    name: "jpg",
    extensions: ["jpg", "jpeg"],
    contentType: "image/jpeg",
    isBegunBy: (bytes) => hasAt(bytes, 0, [0xff, 0xd8, 0xff]),
  },
  {
    name: "png",
    extensions: ["png"],
    contentType: "image/png",
    isBegunBy: (bytes) => hasText(bytes, 0, "\x89PNG\r\n\x1a\n"),
  },
  {
    name: "gif",
    extensions: ["gif"],
    contentType: "image/gif",
    isBegunBy: (bytes) => hasText(bytes, 0, "GIF87a") || hasText(bytes, 0, "GIF89a"),
  },
  {
    name: "bmp",
    extensions: ["bmp"],
    contentType: "image/bmp",
    isBegunBy: (bytes) => hasText(bytes, 0, "BM"),
  },
  {
    name: "mp3",
    extensions: ["mp3"],
    contentType: "audio/mpeg",
    isBegunBy: (bytes) =>
      hasText(bytes, 0, "ID3") || (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0),
  },
  {
    name: "wma",
    extensions: ["wma"],
    contentType: "audio/x-ms-wma",
    isBegunBy: (bytes) => hasAt(bytes, 0, [0x30, 0x26, 0xb2, 0x75]),
  },
  {
    name: "wav",
    extensions: ["wav"],
    contentType: "audio/wav",
    isBegunBy: (bytes) => hasText(bytes, 0, "RIFF") && hasText(bytes, 8, "WAVE"),
  },
  {
    name: "amr",
    extensions: ["amr"],
    contentType: "audio/amr",
    isBegunBy: (bytes) => hasText(bytes, 0, "#!AMR"),
  },
  {
    name: "mp4",
    extensions: ["mp4"],
    contentType: "video/mp4",
    isBegunBy: (bytes) => hasText(bytes, 4, "ftyp"),
  },
];

/** What a file claims to be: the platform goes by the end of its name. */
export function claimedFormat(fileName: string): FileFormat | undefined {
  const extension = /\.([a-z0-9]+)$/i.exec(fileName)?.[1]?.toLowerCase();
  return FORMATS.find(
    ({ extensions }) => extension !== undefined && extensions.includes(extension),
  );
}

export function formatNamed(name: string): FileFormat | undefined {
  return FORMATS.find((format) => format.name === name);
}
