// What a test opens is closed again: in the reverse order, and also where opening fails half-way.
import { afterAll, afterEach, beforeAll, beforeEach } from "bun:test";
import { temporaryFolder } from "./temporary-folder.ts";

/** What can be closed, by whichever word it has for that. */
type Closable = { stop(): unknown } | { close(): unknown } | { remove(): unknown };

/**
 * The parts of a house in the order in which they were opened. What must hold in the end is a part
 * like the others: a check that is deferred runs before what was opened before it is closed.
 */
export class Parts extends AsyncDisposableStack {
  keep<T extends Closable>(part: T): T {
    return this.adopt(part, async (opened) => {
      if ("stop" in opened) await opened.stop();
      else if ("close" in opened) await opened.close();
      else await opened.remove();
    });
  }

  folder(): string {
    return this.keep(temporaryFolder()).path;
  }
}

type Open<T> = (parts: Parts) => T | Promise<T>;

/** All that is open now, the latest last. */
const standing: Parts[] = [];

async function openIn<T>(parts: Parts, open: Open<T>): Promise<T> {
  standing.push(parts);
  try {
    return await open(parts);
  } catch (thrown) {
    // Why it could not be opened is what matters.
    await close(parts).catch(() => {});
    throw thrown;
  }
}

/** With what was opened after them and may need them: hooks run in the order they were made in. */
async function close(parts: Parts): Promise<void> {
  const at = standing.indexOf(parts);
  if (at < 0) return;
  await using closing = new AsyncDisposableStack();
  for (const each of standing.splice(at)) closing.use(each);
}

/** Stands for something that is there only while tests run, so that they can name it beforehand. */
function standIn<T extends object>(current: () => T): T {
  return new Proxy({} as T, {
    get(_, name) {
      const object = current();
      const value: unknown = Reflect.get(object, name);
      return typeof value === "function" ? value.bind(object) : value;
    },
    set: (_, name, value) => Reflect.set(current(), name, value),
    has: (_, name) => Reflect.has(current(), name),
    ownKeys: () => Reflect.ownKeys(current()),
    getOwnPropertyDescriptor(_, name) {
      const found = Reflect.getOwnPropertyDescriptor(current(), name);
      return found && { ...found, configurable: true };
    },
  });
}

function between<T extends object>(
  before: typeof beforeAll,
  after: typeof afterAll,
  open: Open<T>,
) {
  let parts = new Parts();
  let house: T | undefined;
  before(async () => {
    parts = new Parts();
    house = await openIn(parts, open);
  });
  after(async () => {
    house = undefined;
    await close(parts);
  });
  return standIn(() => {
    if (!house) throw new Error("this is open only while the tests of its suite run");
    return house;
  });
}

/** Opened once for the tests of the suite that calls this. */
export function perSuite<T extends object>(open: Open<T>): T {
  return between(beforeAll, afterAll, open);
}

/** Opened anew for each test. */
export function perTest<T extends object>(open: Open<T>): T {
  return between(beforeEach, afterEach, open);
}

/** For what a test opens by itself. */
export function partsOfTest(): Parts {
  return perTest((parts) => parts);
}

/** Opened at once, for a file whose tests are made from it. */
export async function perFile<T>(open: Open<T>): Promise<T> {
  const parts = new Parts();
  afterAll(() => close(parts));
  return openIn(parts, open);
}
