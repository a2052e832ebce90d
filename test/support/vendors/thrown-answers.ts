// Answers of HTTP/1.1 as dice throw them, and what can go wrong with their bytes.
import type { Dice } from "../../simulation/dice.ts";

export interface ThrownAnswer {
  readonly bytes: Buffer;
  readonly status: number;
  readonly body: Buffer;
  /** Whether only the end of the connection is its end. */
  readonly isUntilClose: boolean;
  readonly isKept: boolean;
}

function bodyOf(dice: Dice, most: number): Buffer {
  const length = dice.chance(0.1) ? 0 : dice.between(1, most);
  // Every byte that there is, in an order of its own and never twice at the same place.
  const [start, step] = [dice.between(0, 255), dice.between(0, 127) * 2 + 1];
  const body = Buffer.allocUnsafe(length);
  for (let at = 0; at < length; at++) body[at] = start + at * step + (at >> 8);
  return body;
}

function capitals(dice: Dice, name: string): string {
  return Array.from(name, (char) => (dice.chance(0.3) ? char.toUpperCase() : char)).join("");
}

function noise(dice: Dice): string {
  const lines = Array.from({ length: dice.between(0, 6) }, (_, at) => {
    const value = "v;=, \t:\xe9".repeat(dice.between(0, 9)).trim();
    return `${capitals(dice, `x-noise-${at}`)}:${" ".repeat(dice.between(0, 3))}${value}\r\n`;
  });
  return lines.join("");
}

function chunked(dice: Dice, body: Buffer): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; at < body.length; ) {
    const to = Math.min(body.length, at + dice.between(1, 200));
    const size = (to - at).toString(16);
    const written = dice.chance(0.5) ? size.toUpperCase() : size.padStart(dice.between(1, 6), "0");
    const extension = dice.chance(0.2) ? ';name="value"' : "";
    pieces.push(
      Buffer.from(`${written}${extension}\r\n`),
      body.subarray(at, to),
      Buffer.from("\r\n"),
    );
    at = to;
  }
  const trailers = dice.chance(0.3) ? noise(dice) : "";
  return Buffer.concat([...pieces, Buffer.from(`0\r\n${trailers}\r\n`, "latin1")]);
}

/** A right answer, framed in one of the three ways. */
export function throwAnswer(dice: Dice, bodyBytesMax = 2_000): ThrownAnswer {
  const body = bodyOf(dice, bodyBytesMax);
  const status = dice.pick([200, 200, 200, 201, 400, 429, 500, 503]);
  const framing = dice.weighted({ sized: 5, chunked: 5, untilClose: 1 });
  const closes = framing === "untilClose" || dice.chance(0.1);
  const announced = dice.chance(0.2) ? "HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n" : "";
  const framed = {
    sized: `${capitals(dice, "content-length")}: ${body.length}\r\n`,
    chunked: `${capitals(dice, "transfer-encoding")}: chunked\r\n`,
    untilClose: "",
  }[framing];
  const lines = `${noise(dice)}${framed}${closes ? "connection: close\r\n" : ""}${noise(dice)}`;
  const head = `${announced}HTTP/1.1 ${status} Reason\r\n${lines}\r\n`;
  const told = framing === "chunked" ? chunked(dice, body) : body;
  const bytes = Buffer.concat([Buffer.from(head, "latin1"), told]);
  return { bytes, status, body, isUntilClose: framing === "untilClose", isKept: !closes };
}

const PIECES = [
  "\r\n",
  "\n",
  "\r",
  "\0",
  ":",
  " ",
  "0\r\n\r\n",
  "\r\n\r\n",
  "HTTP/1.1 200 OK\r\n",
  "ffffffff",
];

/** The bytes with something wrong with them, once or a few times. */
export function spoil(dice: Dice, bytes: Buffer): Buffer {
  let spoilt: Buffer = Buffer.from(bytes);
  for (let times = dice.between(1, 3); times > 0; times--) {
    // Most of what can go wrong is in the head.
    const at = dice.between(
      0,
      Math.max(0, Math.min(spoilt.length, dice.pick([60, 200, 4_000])) - 1),
    );
    const to = Math.min(spoilt.length, at + dice.between(1, 12));
    const before = spoilt.subarray(0, at);
    const wrong = {
      flip: () =>
        Buffer.concat([before, Buffer.from([dice.between(0, 255)]), spoilt.subarray(at + 1)]),
      leaveOut: () => Buffer.concat([before, spoilt.subarray(to)]),
      twice: () => Buffer.concat([before, spoilt.subarray(at, to), spoilt.subarray(at)]),
      insert: () => Buffer.concat([before, Buffer.from(dice.pick(PIECES)), spoilt.subarray(at)]),
      cut: () => before,
    };
    spoilt = wrong[dice.weighted({ flip: 4, leaveOut: 2, twice: 2, insert: 4, cut: 1 })]();
  }
  return spoilt;
}

/** Where bytes are cut into what single reads bring. */
export function throwCuts(dice: Dice, length: number): number[] {
  const cuts = Array.from({ length: dice.between(0, 6) }, () => dice.between(0, length));
  return cuts.sort((one, two) => one - two);
}
