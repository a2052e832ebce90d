// What the runtime reads before it starts, and so has to be there before it is started. A value of the user's own wins.

/** For every command: more calls to vendors at once than the usual 256. */
export const RUNTIME = { BUN_CONFIG_MAX_HTTP_REQUESTS: "65336" };

/**
 * For a gate, which makes the same garbage with every request: what is freed within its heap is kept for the next request
 * instead of being given to the system and asked for again, a tenth of its processor time. So that little has to be kept,
 * all of the heap is collected as soon as less than this share of it is free behind a collection of what is new.
 */
export const GATE_RUNTIME = {
  ...RUNTIME,
  MIMALLOC_PURGE_HOLES: "0",
  BUN_JSC_minEdenToOldGenerationRatio: "0.6",
};
