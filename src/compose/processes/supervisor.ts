import type { Config } from "../../config/config.ts";
import { every } from "../../lib/clock.ts";
import type { Log } from "../../telemetry/log.ts";
import { askBusy, spawnOffice } from "./office-process.ts";
import { OfficeSupervisor } from "./office-supervisor.ts";
import type { OwnSockets } from "./sockets.ts";
import { spawnWorker, Worker } from "./worker.ts";

/** Several gates on one port, and one office for all of them. */
export class Supervisor {
  readonly #config: Config;
  readonly #sockets: OwnSockets;
  readonly #office: OfficeSupervisor;
  readonly #workers: readonly Worker[];
  readonly #stopLooking: () => void;
  /** The one that clients know; 0 until the first worker has told it, where any will do. */
  #port: number;

  constructor(config: Config, log: Log, sockets: OwnSockets) {
    this.#config = config;
    this.#sockets = sockets;
    this.#port = config.port;
    const { limits } = config;
    this.#office = new OfficeSupervisor({
      ...{ limits, log },
      spawn: () => spawnOffice(config, { ...sockets, port: this.#port }),
      // The workers look for that, since they have the database open.
      hasWork: async () => false,
      isBusy: () => askBusy(sockets.office),
    });
    const { folder } = sockets;
    const office = { take: () => this.#takeOffice() };
    this.#workers = Array.from(
      { length: config.workers },
      (_, index) =>
        new Worker({
          ...{ index, limits, log, office },
          spawn: (launch) => spawnWorker(config, { index, folder }, launch),
        }),
    );
    this.#stopLooking = every(limits.office_look_ms, () => void this.#office.look());
  }

  /** The first one alone, which may have a database to make; then the others, on its port. */
  async start(): Promise<void> {
    const [first, ...others] = this.#workers;
    first?.start(this.#config.port);
    await this.#knowPort();
    for (const worker of others) worker.start(this.#port);
    await Promise.all(others.map(({ tried }) => tried));
  }

  /** A gate may ask for it before it has told its port, by which an office knows its own visitors. */
  async #takeOffice(): Promise<() => void> {
    if (this.#port === 0) await this.#knowPort();
    return this.#office.take();
  }

  async #knowPort(): Promise<void> {
    this.#port = (await this.#workers[0]?.ready) ?? this.#port;
  }

  /** Whether all of them have settled what they had let in. */
  async stop(): Promise<boolean> {
    this.#stopLooking();
    const settled = await Promise.all(this.#workers.map((worker) => worker.stop()));
    await this.#office.close(this.#config.limits.shutdown_end_ms / 4);
    this.#sockets.remove();
    return settled.every(Boolean);
  }

  /** Somebody does not want to wait. */
  hurry(): void {
    for (const worker of this.#workers) worker.hurry();
    this.#office.abandon();
  }
}
