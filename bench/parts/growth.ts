// What one request costs the loop, by its size: every step of the pipeline that sees a client's text, on
// bodies made to be slow, at one size and at four times that. A step that is linear takes four times as
// long; one that compares all with all takes sixteen times.
//
//   npm run bench:growth                      bodies of 256 KB and 1 MB
//   npm run bench:growth -- --bytes 4194304   the larger size
import { parseArgs } from "node:util";
import { VOCABULARY_NAMES } from "../../src/catalogue/bounds/vocabularies.ts";
import { measureInput } from "../../src/catalogue/input-measure.ts";
import { readConfig } from "../../src/config/config.ts";
import { bodyBounds } from "../../src/gateway/arriving/body.ts";
import { Fault } from "../../src/lib/faults.ts";
import { parseJson, weighJson } from "../../src/lib/json/json-bounds.ts";
import { refuseTwins } from "../../src/protocols/members/twins.ts";
import { openTranslation } from "../../src/protocols/translation/translate.ts";
import { NOTHING_MORE } from "../../src/protocols/unpriced.ts";
import type { Endpoint, UpstreamOptions, Wire } from "../../src/protocols/wire.ts";
import { openWires } from "../../src/protocols/wires.ts";
import { hostileBodies } from "../../test/fuzz/hostile-bodies.ts";

const { values } = parseArgs({ options: { bytes: { type: "string", default: "1048576" } } });
const LARGE = Number(values.bytes);
const GROWTH = 4;
/** A step whose time grows faster than this for four times the body is not linear. */
const RATIO_MAX = 10;
/** Where a step takes so long it is told, whatever its ratio. */
const TOLD_MS = 60;
/** Below this a ratio says nothing but how busy the machine is. */
const NOTICED_MS = 25;

const WALKS = 3;

const { limits } = readConfig({});
const bounds = bodyBounds(limits);
const wires = openWires(limits);
const ENDPOINTS: readonly Endpoint[] = ["chat", "responses", "messages", "gemini"];

const OPTIONS: UpstreamOptions = {
  model: "vendor-model",
  outputClamp: undefined,
  searchesMax: 4,
  keepReasoning: true,
  maxOutput: 8_192,
  rules: [],
  dialect: {},
  allows: NOTHING_MORE,
  webSearch: true,
};

type Times = Map<string, number>;

/** Runs one body through every step, each on its own, and notes what each took. */
function walk(client: Wire, text: string): Times {
  const times: Times = new Map();
  const step = <T>(name: string, work: () => T): T | undefined => {
    const before = process.cpuUsage();
    try {
      return work();
    } catch (thrown) {
      if (!(thrown instanceof Fault)) throw new Error(`${name} broke`, { cause: thrown });
      return undefined;
    } finally {
      // The processor's time: what else the machine does is none of the body's doing.
      const { user, system } = process.cpuUsage(before);
      times.set(name, (user + system) / 1000);
    }
  };
  if (step("weigh", () => weighJson(text, bounds)) === undefined) return times;
  const value = step("parse", () => parseJson(text));
  const path = client.endpoint === "gemini" ? { model: "m", stream: false } : undefined;
  const request = step("read", () => client.readRequest(value, text, path));
  step("twins", () => refuseTwins(text, client.members));
  if (!request) return times;
  const measuring = { vocabularies: VOCABULARY_NAMES.slice(0, 2), enough: 1_000_000 };
  step("estimate", () => measureInput(client.inputOf(request)));
  step("bound", () => measureInput(client.inputOf(request), measuring));
  for (const endpoint of ENDPOINTS) {
    const translation = step(`open ${endpoint}`, () =>
      openTranslation(client, wires[endpoint], request, {}),
    );
    if (translation) step(`write ${endpoint}`, () => translation.writeRequest(OPTIONS));
  }
  return times;
}

/** The best of several walks: what else the machine does only ever makes one slower. */
function best(client: Wire, text: string): Times {
  const times = walk(client, text);
  for (let i = 1; i < WALKS; i++) {
    for (const [step, ms] of walk(client, text)) {
      times.set(step, Math.min(ms, times.get(step) ?? ms));
    }
  }
  return times;
}

let slowest = { ms: 0, what: "" };
let bad = 0;
for (const endpoint of ENDPOINTS) {
  for (const { name, make } of hostileBodies(endpoint)) {
    const small = best(wires[endpoint], make(LARGE / GROWTH));
    const large = best(wires[endpoint], make(LARGE));
    for (const [step, ms] of large) {
      if (ms > slowest.ms) slowest = { ms, what: `${endpoint}: ${name}: ${step}` };
      const ratio = ms / Math.max(small.get(step) ?? 0, 0.5);
      const grows = ms >= NOTICED_MS && ratio >= RATIO_MAX;
      if (!grows && ms < TOLD_MS) continue;
      if (grows) bad++;
      console.log(
        `${endpoint.padEnd(10)} ${name.padEnd(34)} ${step.padEnd(18)} ${ms.toFixed(0)} ms, × ${ratio.toFixed(1)}`,
      );
    }
  }
}
console.log(`slowest step at ${LARGE} bytes: ${slowest.ms.toFixed(1)} ms (${slowest.what})`);
console.log(bad === 0 ? "every step grows no faster than its body" : `${bad} steps grow faster`);
process.exitCode = bad === 0 ? 0 : 1;
