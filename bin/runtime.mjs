// What the runtime reads before it starts, and so has to be there before it is started. A value of the user's own wins.

/** For every command: more calls to vendors at once than the usual 256. */
export const RUNTIME = { BUN_CONFIG_MAX_HTTP_REQUESTS: "65336" };

/**
 * For a gate, which makes the same garbage with every request: its heap grows by a third where others double, and what is
 * freed within it is kept for the next request instead of being given to the system and asked for again. That saves a
 * tenth of its processor time; the first is for the memory, of which the second alone would take much more.
 */
export const GATE_RUNTIME = {
  ...RUNTIME,
  MIMALLOC_PURGE_HOLES: "0",
  BUN_JSC_heapGrowthMaxIncrease: "1.3",
  BUN_JSC_minEdenToOldGenerationRatio: "0.5",
};
