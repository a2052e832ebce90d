// What a client sees and pays when a vendor misbehaves, for vendors of every wire on bare sockets.
// Each case has a channel and a model of its own, since what goes wrong is remembered.
import { describe, expect, test } from "bun:test";
import { nano } from "../support/books.ts";
import { covering } from "../support/covering.ts";
import { perSuite } from "../support/houses/house.ts";
import { FACES, type Face, goodText, type Heard } from "../support/samples/faces.ts";
import { readEvents } from "../support/samples/wires.ts";
import { type Counts, VENDOR_WIRES, type VendorWire } from "../support/vendors/vendor-bytes.ts";
import { SILENT_VENDORS, STALLS } from "../support/vendors/vendor-cuts.ts";
import { FAULTS } from "../support/vendors/vendor-faults.ts";
import {
  INPUT_NANO,
  OUTPUT_NANO,
  type Receipt,
  type VendorHouse,
  vendorHouse,
} from "../support/vendors/vendor-house.ts";
import {
  CLIENT_WORDS,
  type Outcome,
  TEXTS,
  type VendorFault,
} from "../support/vendors/vendor-play.ts";

const WIRES = Object.values(VENDOR_WIRES);

interface Case {
  readonly name: string;
  readonly fault: VendorFault;
  readonly wire: VendorWire;
  readonly face: Face;
  readonly stream: boolean;
}

/** A client of the vendor's own wire, and one of another, which is each of the others in turn. */
function allCasesOf(faults: readonly VendorFault[]): Case[] {
  let turn = 0;
  return faults.flatMap((fault) =>
    WIRES.flatMap((wire) =>
      fault.streams.flatMap((stream) => {
        const others = FACES.filter(({ name }) => name !== wire.name);
        const own = FACES.filter(({ name }) => name === wire.name);
        const other = others[turn++ % others.length] as Face;
        return [...own, other].map((face) => {
          const how = stream ? "stream" : "whole answer";
          const name = `${fault.name}: ${wire.name} vendor, ${face.name} client, ${how}`;
          return { name, fault, wire, face, stream };
        });
      }),
    ),
  );
}

/** Every fault of vendors of every wire, told to clients of their own wire and of others, whole and as a stream. */
function casesOf(faults: readonly VendorFault[]): Case[] {
  return covering(allCasesOf(faults), ({ fault, wire, face, stream }) => [
    fault.name,
    wire.name,
    face.name,
    face.name === wire.name ? "as it is" : "translated",
    stream ? "stream" : "whole",
  ]);
}

/** How many slots of each wire a list of cases takes. */
function slotsFor(cases: readonly Case[]): number {
  return Math.max(
    ...Map.groupBy(cases, ({ wire }) => wire)
      .values()
      .map((own) => own.length),
  );
}

/** More than anybody would estimate of the question and the answer of these tests. */
const GUESS_MOST: Counts = { input: 20, output: 15 };

function costOf({ input, output }: Counts): bigint {
  return BigInt(Number(input)) * INPUT_NANO + BigInt(Number(output)) * OUTPUT_NANO;
}

function expectRefused(face: Face, heard: Heard, outcome: Outcome & { kind: "refused" }): void {
  expect({ status: heard.status, text: heard.text }).toMatchObject({ status: outcome.status });
  const sentence = face.expectRefusal(outcome.status, JSON.parse(heard.text));
  if (outcome.status === 400) expect(sentence).toStartWith(CLIENT_WORDS);
  else if (outcome.lastKey) expect(sentence).toStartWith("No channel can serve the model");
  else expect(sentence).toStartWith("The upstream model service is unavailable.");
  if (outcome.lastKey) expect(heard.headers.get("retry-after")).toBeNull();
  if (outcome.retryAfter) expect(heard.headers.get("retry-after")).toBe(outcome.retryAfter);
  expect(heard.headers.get("location")).toBeNull();
  expect(heard.headers.get("www-authenticate")).toBeNull();
}

function expectBroken({ face, stream }: Case, heard: Heard, model: string): void {
  expect(stream).toBe(true);
  expect({ status: heard.status, text: heard.text }).toMatchObject({ status: 200 });
  const events = readEvents(heard.text);
  const sentence = face.expectFailedEnd(events, model);
  expect(sentence).toStartWith("The upstream model service is unavailable.");
  const text = events.map((event) => face.deltaOf(event)).join("");
  expect(TEXTS.join("")).toStartWith(text);
  expect(text).toStartWith(TEXTS[0] ?? "");
}

function expectCharged(receipt: Receipt, outcome: Outcome): void {
  if (outcome.kind === "refused") {
    const { status } = outcome;
    const reason = status < 500 ? "upstream_refused" : "upstream_failed";
    expect(receipt).toMatchObject({ status, billing_reason: reason, cost: "0.0" });
    return;
  }
  if (outcome.kind === "broken") {
    const { counted } = outcome;
    const reason = counted ? "upstream_failed_with_usage" : "upstream_failed";
    expect(receipt).toMatchObject({ status: 503, billing_reason: reason });
    expect(nano(receipt.cost)).toBe(counted ? costOf(counted) : 0n);
    return;
  }
  const { counted, clamped = false } = outcome;
  const source = counted ? "vendor" : "estimated";
  const reason = counted ? "completed" : "completed_estimated";
  expect(receipt).toMatchObject({ status: 200, billing_reason: reason, error_code: null });
  expect(receipt.usage).toMatchObject({ source, clamped });
  if (counted) expect(nano(receipt.cost)).toBe(costOf(counted));
  else {
    expect(nano(receipt.cost)).toBeGreaterThan(0n);
    expect(nano(receipt.cost)).toBeLessThan(costOf(GUESS_MOST));
  }
}

async function play(house: VendorHouse, each: Case): Promise<void> {
  const { fault, wire, face, stream } = each;
  const slot = house.slot(wire.name, fault.script(wire, stream));
  const outcome = fault.outcome(wire, stream);
  const heard = await house.call(face, slot.model, stream);
  if (outcome.kind === "refused") expectRefused(face, heard, outcome);
  else if (outcome.kind === "broken") expectBroken(each, heard, slot.model);
  else expect(goodText(face, heard, stream)).toBe(outcome.text);
  expectCharged(await house.receipt(heard.requestId), outcome);
  expect(heard.text).not.toContain("vendor-name");
  // One call, or one more after what might be chance, and to the place that it was meant for.
  const calls = outcome.kind === "refused" && outcome.askedAgain ? 2 : 1;
  expect(house.vendor.callsOf(slot.part)).toHaveLength(calls);
  expect(house.vendor.callsOf("elsewhere")).toHaveLength(0);
  await house.expectNoCallLeftOpen();
}

describe("a vendor that", () => {
  const cases = casesOf(FAULTS);
  const house = perSuite((parts) => vendorHouse(parts, { slots: slotsFor(cases) }));
  test.each(cases)("$name", (each) => play(house, each));
  test("has done all of this leaves no trace", () => house.expectNoTrace());
});

// What must come in time has all the time there is: only the deadline in question is short.
describe.each([
  {
    name: "for the first byte",
    faults: SILENT_VENDORS,
    settings: {
      FAREGATE_UPSTREAM_FIRST_BYTE_MS: "500",
      FAREGATE_UPSTREAM_ANSWER_MS: "500",
      FAREGATE_UPSTREAM_IDLE_MS: "500",
    },
  },
  {
    name: "for all that follows it",
    faults: STALLS,
    settings: { FAREGATE_UPSTREAM_ANSWER_MS: "500", FAREGATE_UPSTREAM_IDLE_MS: "1000" },
  },
])("with a short deadline $name, a vendor that", ({ faults, settings }) => {
  const cases = casesOf(faults);
  const house = perSuite((parts) => vendorHouse(parts, { slots: slotsFor(cases), settings }));
  test.each(cases)("$name", (each) => play(house, each));
  test("has done all of this leaves no trace", () => house.expectNoTrace());
});
