import type { Receipt } from "../../src/ledger/receipt.ts";
import type { Store } from "../../src/store/store.ts";
import { SQLITE } from "../store/engines.ts";
import { Parts } from "../support/houses/house.ts";
import { Dice } from "./dice.ts";
import { MemoryStore } from "./memory-store.ts";
import type { PlantedBug } from "./planted.ts";
import { type Report, Simulation, type Testbed } from "./simulation.ts";
import type { Books, SimStore } from "./store.ts";
import { VirtualTime } from "./time.ts";
import { Weather } from "./weather.ts";

/** The weather has dice of its own: a change to what clients do must not change it. */
const WEATHER_SEED = 0x5eed;

function inMemory(seed: number): Testbed {
  const time = new VirtualTime();
  const weather = new Weather(time, new Dice(seed ^ WEATHER_SEED));
  const memory = new MemoryStore(time.clock, weather);
  const live = memory.books();
  return { time, weather, store: memory.open(), live, read: async () => live };
}

/** Books in memory: the same seed gives the same run to the last receipt. */
export async function simulate(seed: number, requests: number, bug?: PlantedBug): Promise<Report> {
  const outcome = await new Simulation(seed, inMemory(seed), bug).run(requests);
  return { seed, ...outcome };
}

/** A real store in front of which the weather stands. */
function weathered(store: Store, weather: Weather, work: { running: number }): SimStore {
  const through = async <T>(write: () => T | Promise<T>, replies: boolean): Promise<T> => {
    weather.check();
    work.running++;
    try {
      const result = await write();
      if (replies) weather.reply();
      return result;
    } finally {
      work.running--;
    }
  };
  const { accounts, admission, ledger } = store;
  return {
    accounts,
    admission: {
      admit: (request) => through(async () => admission.admit(request), false),
      raise: (request) => through(async () => admission.raise(request), true),
    },
    ledger: {
      ...ledger,
      settle: (settlement) => through(async () => ledger.settle(settlement), true),
      refuse: (receipt, count) => through(() => ledger.refuse(receipt, count), true),
      findReceipt: (...which) => through(() => ledger.findReceipt(...which), false),
      balance: (id) => through(() => ledger.balance(id), false),
    },
    close: () => store.close(),
  };
}

async function readBooks(store: Store, customers: Parameters<Testbed["read"]>[0]): Promise<Books> {
  const found = new Map<string, Receipt>();
  for (const [id, { accountId, keyId }] of customers) {
    const receipt = await store.ledger.findReceipt(id, accountId, keyId);
    if (receipt) found.set(id, receipt);
  }
  const { problems, openHolds, receipts } = await store.ledger.verify();
  const open = openHolds > 0 ? [`${openHolds} holds are open`] : [];
  const more = receipts > found.size ? [`${receipts} receipts, known are ${found.size}`] : [];
  return {
    receipt: (id) => found.get(id),
    isHeld: () => false,
    scopes: () => [],
    problems: () => [...problems, ...open, ...more],
    receipts: () => [...found.values()],
    ids: () => [...found.keys()],
    end: () => undefined,
  };
}

/** The same over SQLite with its writer thread, whose batches fall as they fall. */
export async function simulateOnSqlite(seed: number, requests: number): Promise<Report> {
  await using parts = new Parts();
  const store = await (await SQLITE.site(parts)).open();
  const work = { running: 0 };
  const time = new VirtualTime({ busy: () => work.running > 0, realSleepMs: 5 });
  const weather = new Weather(time, new Dice(seed ^ WEATHER_SEED));
  const testbed: Testbed = {
    time,
    weather,
    store: weathered(store, weather, work),
    read: (customers) => readBooks(store, customers),
  };
  const outcome = await new Simulation(seed, testbed).run(requests);
  return { seed, ...outcome };
}
