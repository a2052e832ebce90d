// How a command ends: only once everything that it printed has been taken, and with its own exit code.
//
// A pipe holds 64 KB. What goes beyond waits in this process for the reader, and would be lost with it;
// the callback of an empty write comes at once and says nothing of what was written before.

import { writeSync } from "node:fs";

const LOST_EXIT = 1;

type Stream = typeof process.stdout | typeof process.stderr;

const failed = new Set<Stream>();
/** Why what was printed could not be written: the disk behind it is full, or the terminal is gone. */
let lost: NodeJS.ErrnoException | undefined;

/** A reader who has seen enough (`| head`) is no mistake, and what the command does is done to its end. */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (thrown: NodeJS.ErrnoException) => {
      failed.add(stream);
      if (thrown.code !== "EPIPE") lost ??= thrown;
    });
  }
}

function taken(stream: Stream): Promise<void> {
  return new Promise((resolve) => {
    stream.once("error", () => resolve());
    stream.end(() => resolve());
    // What some task still has to say now comes too late, and must not end the command in another way.
    stream.write = () => true;
    // One that has failed before calls nobody back.
    if (failed.has(stream)) resolve();
  });
}

/** The streams have ended; where this cannot be written either, nobody is there to read it. */
function tell(words: string): void {
  try {
    writeSync(process.stderr.fd, words);
  } catch {}
}

/** Ends the process, whatever it may still have open. */
export async function end(exitCode: number): Promise<never> {
  await Promise.all([taken(process.stdout), taken(process.stderr)]);
  if (lost) tell(`faregate: what was printed is lost: ${lost.message}\n`);
  process.exit(lost && exitCode === 0 ? LOST_EXIT : exitCode);
}
