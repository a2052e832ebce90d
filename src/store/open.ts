import type { Config } from "../config/config.ts";
import { ROOMS } from "./migrations/rooms.ts";
import { openEngine } from "./open-engine.ts";
import type { OpenOptions, Store } from "./store.ts";

/** Opens the database with the tables of all rooms, brought up to date. */
export function openStore(config: Config, options: Omit<OpenOptions, "rooms">): Promise<Store> {
  return openEngine(config, { ...options, rooms: ROOMS });
}
