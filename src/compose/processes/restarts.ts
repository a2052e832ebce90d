/** Who has lived this long did not die of how it was started. */
const SOUND_MS = 60_000;

interface RestLimits {
  readonly restart_rest_ms: number;
  readonly restart_rest_ms_max: number;
}

/** How long to wait before a process that died is started again: not at all, then longer each time. */
export class Restarts {
  readonly #limits: RestLimits;
  #deaths = 0;

  constructor(limits: RestLimits) {
    this.#limits = limits;
  }

  /** The wait after a death, by how long the process had lived. */
  pauseAfter(livedMs: number): number {
    this.#deaths = livedMs > SOUND_MS ? 1 : this.#deaths + 1;
    if (this.#deaths === 1) return 0;
    const { restart_rest_ms: firstMs, restart_rest_ms_max: mostMs } = this.#limits;
    return Math.min(firstMs * 2 ** (this.#deaths - 2), mostMs);
  }
}
