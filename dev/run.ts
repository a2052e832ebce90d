// npm run dev: the server starts again on every save in src/; on a save in web/ the console is built
// again and open pages reload. Settings are those of `faregate serve`.
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { isNoTest, onSave } from "./on-save.ts";

/** What runs at a restart gets this long to end; a stream that somebody left open must not hold it up. */
const DRAIN_MS = 1_000;
/** A server that has not ended by then never will. */
const STOP_MS = 10_000;

class Server {
  readonly #child: Bun.Subprocess;
  #stopping = false;

  constructor() {
    this.#child = Bun.spawn([process.execPath, join(import.meta.dir, "server.ts")], {
      env: {
        FAREGATE_SHUTDOWN_DRAIN_MS: String(DRAIN_MS),
        ...process.env,
        // The fourth stream tells the server, by ending, that this process was killed.
        FAREGATE_LAUNCHER_FD: "3",
      },
      stdio: ["ignore", "inherit", "inherit", "pipe"],
      // A process group of its own: Ctrl-C reaches this process only, which stops the server in order.
      detached: true,
    });
    void this.#child.exited.then(() => {
      if (!this.#stopping) this.#report();
    });
  }

  #report(): void {
    const { exitCode, signalCode } = this.#child;
    console.error(
      `dev: the server has ended (${signalCode ?? exitCode}); waiting for the next save`,
    );
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    const late = setTimeout(() => this.#child.kill("SIGKILL"), STOP_MS);
    this.#child.kill("SIGTERM");
    await this.#child.exited;
    clearTimeout(late);
    try {
      // A build that the server had begun.
      process.kill(-this.#child.pid, "SIGKILL");
    } catch {
      // The group is gone, as it should be.
    }
  }
}

let server = new Server();
let ending = false;

async function end(): Promise<void> {
  if (ending) return;
  ending = true;
  await server.stop();
  process.exit(0);
}

// From a terminal the signal comes twice, once through the launcher.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, end);
// Where a launcher stands between npm and this process, its death is seen as the end of this stream.
const launcher = Number(process.env.FAREGATE_LAUNCHER_FD ?? 0);
if (launcher) createReadStream("", { fd: launcher }).on("close", end).resume();

onSave(["src"], isNoTest, async (paths) => {
  if (ending) return;
  console.log(`dev: ${paths.join(", ")} saved; the server starts again`);
  await server.stop();
  if (!ending) server = new Server();
});
