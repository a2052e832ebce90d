// How a command ends: only once everything that it printed has been taken, and with its own exit code.
//
// A pipe holds 64 KB. What goes beyond waits in this process for the reader, and would be lost with it;
// the callback of an empty write comes at once and says nothing of what was written before.

type Stream = typeof process.stdout | typeof process.stderr;

/** A reader who has seen enough (`| head`) is no mistake, and what the command does is done to its end. */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (thrown: NodeJS.ErrnoException) => {
      if (thrown.code !== "EPIPE") throw thrown;
    });
  }
}

function taken(stream: Stream): Promise<void> {
  return new Promise((resolve) => {
    stream.once("error", () => resolve());
    stream.end(() => resolve());
    // What some task still has to say now comes too late, and must not end the command in another way.
    stream.write = () => true;
  });
}

/** Ends the process, whatever it may still have open. */
export async function end(exitCode: number): Promise<never> {
  await Promise.all([taken(process.stdout), taken(process.stderr)]);
  process.exit(exitCode);
}
