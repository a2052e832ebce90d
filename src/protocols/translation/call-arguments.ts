import { Fault } from "../../lib/faults.ts";
import { readInSteps } from "../../lib/json/large-json.ts";
import { isLarge, yieldToLoop } from "../../lib/yield-to-loop.ts";
import type { CallItem, Item } from "../canon.ts";

/** Characters of short arguments that are parsed without yielding to the loop. */
const STEP_CHARS = 256 * 1024;

/** What the arguments of a call say; undefined where they are no JSON. */
export function argumentsValue(call: CallItem): unknown {
  return call.read ? call.read.value : parsed(call.arguments);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.trim());
  } catch {
    return undefined;
  }
}

async function parsedInSteps(text: string): Promise<unknown> {
  try {
    return (await readInSteps(text.trim())).value;
  } catch (thrown) {
    // Names and numbers without end are JSON, too, but nobody's arguments.
    if (thrown instanceof SyntaxError || thrown instanceof Fault) return undefined;
    throw thrown;
  }
}

/** The same items, with the arguments of their calls read in steps: many short ones take as long as one that is long. */
export async function readCalls<AnyItem extends Item>(
  items: readonly AnyItem[],
): Promise<AnyItem[]> {
  const read: AnyItem[] = [];
  let sinceYield = 0;
  for (const item of items) {
    if (item.type !== "call" || item.custom) {
      read.push(item);
      continue;
    }
    const text = item.arguments;
    const value = isLarge(text) ? await parsedInSteps(text) : parsed(text);
    read.push({ ...item, read: { value } });
    sinceYield += text.length;
    if (sinceYield < STEP_CHARS) continue;
    sinceYield = 0;
    await yieldToLoop();
  }
  return read;
}
