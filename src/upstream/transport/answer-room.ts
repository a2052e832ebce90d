import { Fault } from "../../lib/faults.ts";
import type { Soon } from "../../lib/soon.ts";

/** Where answers are counted. */
interface Room {
  changed(answer: HeldAnswer, bytes: number): Soon<void>;
  left(answer: HeldAnswer): void;
  givenUp(answer: HeldAnswer): void;
}

function noRoom(): Fault {
  return new Fault("overloaded", "The gateway is holding as many bytes of answers as it may.", {
    headers: { "retry-after": "1" },
  });
}

/** A large answer in memory, from its vendor until its client has taken it. */
export class HeldAnswer {
  readonly #room: Room;
  /** Those that came earlier have smaller ones. */
  readonly number: number;
  #bytes = 0;
  #isOver = false;
  /** While it waits for room. */
  wait: PromiseWithResolvers<void> | undefined;

  constructor(room: Room, number: number) {
    this.#room = room;
    this.number = number;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Says what it weighs now. Where that is more than there is room for, whoever makes more of it has to wait. */
  weigh(bytes: number): Soon<void> {
    if (this.#isOver) return;
    const before = this.#bytes;
    this.#bytes = bytes;
    return this.#room.changed(this, bytes - before);
  }

  /** It is not waited for any longer: who does hears that there was no room. */
  giveUp(): void {
    this.#room.givenUp(this);
  }

  /** It is gone: taken by its client, or thrown away. */
  release(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.giveUp();
    this.#room.left(this);
  }
}

/**
 * The large answers of all requests, as they lie in memory. Beyond their limit vendors are not read on until clients
 * have taken theirs. Were all to wait that are in work, nobody would ever give anything back: then the oldest of them
 * goes on, and it alone, so that there is at most one answer more than there is room for.
 */
export class AnswerRoom implements Room {
  readonly #bytesMax: number;
  #bytes = 0;
  #entered = 0;
  /** Those that do not wait: they are being read, worked on or taken. */
  #going = 0;
  /** Those that wait, the oldest first. */
  readonly #line: HeldAnswer[] = [];

  constructor({ answer_bytes_in_flight_max }: { readonly answer_bytes_in_flight_max: number }) {
    this.#bytesMax = answer_bytes_in_flight_max;
  }

  get bytesInFlight(): number {
    return this.#bytes;
  }

  enter(): HeldAnswer {
    this.#going++;
    return new HeldAnswer(this, this.#entered++);
  }

  changed(answer: HeldAnswer, bytes: number): Soon<void> {
    this.#bytes += bytes;
    if (bytes <= 0 || this.#bytes <= this.#bytesMax) return this.#letOn();
    const wait = Promise.withResolvers<void>();
    answer.wait = wait;
    const behind = this.#line.findIndex(({ number }) => number > answer.number);
    this.#line.splice(behind < 0 ? this.#line.length : behind, 0, answer);
    this.#going--;
    this.#letOn();
    return wait.promise;
  }

  left({ bytes }: HeldAnswer): void {
    this.#bytes -= bytes;
    this.#going--;
    this.#letOn();
  }

  givenUp(answer: HeldAnswer): void {
    if (answer.wait) this.#goOn(answer).reject(noRoom());
  }

  /** All that wait, where there is room: what they have is counted already. */
  #letOn(): void {
    let [oldest] = this.#line;
    while (oldest && (this.#bytes <= this.#bytesMax || this.#going === 0)) {
      this.#goOn(oldest).resolve();
      [oldest] = this.#line;
    }
  }

  #goOn(answer: HeldAnswer): PromiseWithResolvers<void> {
    const { wait } = answer;
    if (!wait) throw new Error("an answer goes on that does not wait");
    answer.wait = undefined;
    this.#line.splice(this.#line.indexOf(answer), 1);
    this.#going++;
    return wait;
  }
}
