// What the faults of vendors are made of, and how one has to end for the client and in the books.
import type { Reply, Script } from "./scripted-vendor.ts";
import type { Counts, VendorWire } from "./vendor-bytes.ts";

export type Outcome =
  /** A real HTTP status, nothing charged. */
  | {
      readonly kind: "refused";
      readonly status: 400 | 503;
      readonly retryAfter?: string;
      /** It was the last key that there was, so that nobody can be asked again. */
      readonly lastKey?: true;
      /** It might have been chance, so that the vendor is asked twice. */
      readonly askedAgain?: true;
    }
  /** A 200 that ends as the wire's failure; what the vendor had counted by then is charged. */
  | { readonly kind: "broken"; readonly counted: Counts | undefined }
  /** A whole answer; without counts that can be true it is charged as estimated. */
  | {
      readonly kind: "answered";
      readonly text: string;
      readonly counted: { readonly input: number; readonly output: number } | undefined;
      readonly clamped?: boolean;
    };

export interface VendorFault {
  readonly name: string;
  /** Whether it is played to streams, to whole answers, or to both. */
  readonly streams: readonly boolean[];
  script(wire: VendorWire, stream: boolean): Script;
  outcome(wire: VendorWire, stream: boolean): Outcome;
}

export const TEXTS = ["The quick ", "brown fox 狐 ", "sleeps."];
export const TEXT = TEXTS.join("");
export const COUNTS = { input: 11, output: 7 };
export const BOTH = [false, true];
export const STREAM = [true];
export const WHOLE = [false];
export const SSE = "text/event-stream";

export const UNAVAILABLE: Outcome = { kind: "refused", status: 503 };
export const DOWN: Outcome = { kind: "refused", status: 503, askedAgain: true };
export const LAST_KEY: Outcome = { kind: "refused", status: 503, lastKey: true };
export const REJECTED: Outcome = { kind: "refused", status: 400 };
export const ANSWERED: Outcome = { kind: "answered", text: TEXT, counted: COUNTS };
export const brokenAfterText = (wire: VendorWire): Outcome => ({
  kind: "broken",
  counted: wire.countedEarly(COUNTS),
});

/** A sentence that quotes the key, as careless vendors do. */
export function complaint(words: string, key: string): string {
  return `${words} (key ${key}, Bearer ${key}).`;
}

/** What the sentence of a fault of the client's must begin with. */
export const CLIENT_WORDS = "The field 'colour' is not known here";
export const VENDOR_WORDS = "Something is on fire";

export function events(wire: VendorWire, counts: Counts | undefined = COUNTS): string[] {
  return [
    ...wire.opening(counts),
    ...TEXTS.map((text) => wire.delta(text)),
    ...wire.ending(TEXT, counts),
    wire.marker(TEXT, counts),
  ];
}

export function begun(wire: VendorWire): string[] {
  return [...wire.opening(COUNTS), wire.delta(TEXTS[0] ?? ""), wire.delta(TEXTS[1] ?? "")];
}

/** Each event in a write of its own, as they would come. */
export async function sendAll(
  reply: Reply,
  pieces: readonly (string | Uint8Array)[],
): Promise<void> {
  for (const piece of pieces) {
    reply.write(piece);
    await Bun.sleep(0);
  }
}

export async function sendStream(
  reply: Reply,
  pieces: readonly (string | Uint8Array)[],
): Promise<void> {
  reply.begin(SSE);
  await sendAll(reply, pieces);
}

export const wholeText = (wire: VendorWire, counts: Counts | undefined = COUNTS) =>
  JSON.stringify(wire.whole(TEXT, counts));
