import { closeSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import {
  BLOCK_BYTES,
  END,
  filling,
  readHeader,
  type TarEntry,
  writeHeader,
} from "../../../lib/tar/tar.ts";
import type { Progress } from "../../progress.ts";
import { BackupFault } from "./backup-fault.ts";
import { type BackupFile, MANIFEST_FILE, type Manifest, readManifest } from "./manifest.ts";

const CHUNK_BYTES = 1 << 20;
const MANIFEST_BYTES_MAX = 1 << 20;
const FILE_MODE = 0o600;

function writeAll(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
}

/** As many bytes as there are, up to the length of the buffer. */
function readFrom(fd: number, buffer: Buffer, position: number): Buffer {
  let read = 0;
  while (read < buffer.length) {
    const more = readSync(fd, buffer, read, buffer.length - read, position + read);
    if (more === 0) break;
    read += more;
  }
  return buffer.subarray(0, read);
}

interface Passage {
  readonly from: number;
  readonly at: number;
  readonly bytes: number;
  readonly to: number;
  readonly told: (done: number) => Promise<void>;
}

/** Brings bytes from one file to the end of another; their sum. Undefined where there are fewer. */
async function pass({ from, at, bytes, to, told }: Passage): Promise<string | undefined> {
  const hash = new Bun.CryptoHasher("sha256");
  const buffer = Buffer.alloc(Math.min(CHUNK_BYTES, bytes));
  for (let done = 0; done < bytes; ) {
    const chunk = readFrom(
      from,
      buffer.subarray(0, Math.min(buffer.length, bytes - done)),
      at + done,
    );
    if (chunk.length === 0) return undefined;
    hash.update(chunk);
    writeAll(to, chunk);
    done += chunk.length;
    await told(done);
  }
  return hash.digest("hex");
}

/** One file for all files of a backup, on disk when it is closed. */
export class ArchiveWriter {
  readonly #fd: number;
  readonly #atMs: number;
  readonly #files: BackupFile[] = [];

  constructor(path: string, atMs: number) {
    this.#fd = openSync(path, "wx", FILE_MODE);
    this.#atMs = atMs;
  }

  async add(name: BackupFile["name"], path: string, progress: Progress): Promise<void> {
    const from = openSync(path, "r");
    try {
      const bytes = fstatSync(from).size;
      writeAll(this.#fd, writeHeader({ name, bytes }, this.#atMs));
      const told = (done: number) => progress("packing", done, bytes);
      const sha256 = await pass({ from, at: 0, bytes, to: this.#fd, told });
      if (sha256 === undefined) throw new Error(`${path} became shorter while it was read`);
      writeAll(this.#fd, Buffer.alloc(filling(bytes)));
      this.#files.push({ name, bytes, sha256 });
    } finally {
      closeSync(from);
    }
  }

  /** The last file says what the others are. */
  finish(facts: Omit<Manifest, "files">): Manifest {
    const manifest: Manifest = { ...facts, files: this.#files };
    const text = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
    writeAll(this.#fd, writeHeader({ name: MANIFEST_FILE, bytes: text.length }, this.#atMs));
    writeAll(this.#fd, Buffer.concat([text, Buffer.alloc(filling(text.length)), END]));
    fsyncSync(this.#fd);
    return manifest;
  }

  close(): void {
    closeSync(this.#fd);
  }
}

interface Found extends TarEntry {
  readonly at: number;
}

/** What is in an archive, by its blocks; a copy that was cut short ends before its last file does. */
function entriesOf(fd: number): Found[] {
  const { size } = fstatSync(fd);
  const found: Found[] = [];
  for (let at = 0; ; ) {
    const block = readFrom(fd, Buffer.alloc(BLOCK_BYTES), at);
    const entry = readHeader(block);
    if (!entry && found.length === 0) throw new BackupFault("not_a_backup");
    if (!entry) return found;
    at += BLOCK_BYTES;
    if (at + entry.bytes > size) throw new BackupFault("cut");
    found.push({ ...entry, at });
    at += entry.bytes + filling(entry.bytes);
  }
}

export class ArchiveReader {
  readonly #fd: number;
  readonly #entries: readonly Found[];
  readonly manifest: Manifest;

  constructor(path: string) {
    this.#fd = openSync(path, "r");
    try {
      this.#entries = entriesOf(this.#fd);
      this.manifest = this.#readManifest();
    } catch (thrown) {
      this.close();
      throw thrown;
    }
  }

  #readManifest(): Manifest {
    const entry = this.#entries.find(({ name }) => name === MANIFEST_FILE);
    // It is the last one, so a copy that ends between two files has none.
    if (!entry) throw new BackupFault("cut");
    if (entry.bytes > MANIFEST_BYTES_MAX) throw new BackupFault("not_a_backup");
    return readManifest(readFrom(this.#fd, Buffer.alloc(entry.bytes), entry.at).toString());
  }

  /** Puts the files of a backup into a folder, each as it was when it was packed. */
  async unpack(folder: string, progress: Progress): Promise<void> {
    const total = this.manifest.files.reduce((sum, { bytes }) => sum + bytes, 0);
    let before = 0;
    for (const file of this.manifest.files) {
      const entry = this.#entries.find(({ name }) => name === file.name);
      if (entry?.bytes !== file.bytes) throw new BackupFault("damaged", file.name);
      const to = openSync(join(folder, file.name), "wx", FILE_MODE);
      try {
        const told = (done: number) => progress("unpacking", before + done, total);
        const sha256 = await pass({ from: this.#fd, ...entry, to, told });
        if (sha256 !== file.sha256) throw new BackupFault("damaged", file.name);
        fsyncSync(to);
      } finally {
        closeSync(to);
      }
      before += file.bytes;
    }
  }

  close(): void {
    closeSync(this.#fd);
  }
}
