import { type EventPaths, type EventShape, type ReadEvent, shapeOf } from "./event-shape.ts";

/** Thoughts and text take turns, and so do several choices. */
const SHAPES_MAX = 4;
/** A vendor whose events are never alike is not asked again and again whether they are. */
const UNUSED_MAX = 4;

/** The shapes of the events that a stream repeats. */
export class KnownShapes {
  /** The one that was met last comes first. */
  readonly #shapes: EventShape[] = [];
  #learned = 0;
  #met = 0;

  /** The shape of the event that begins at `at`, if it is a known one. */
  find(bytes: Uint8Array, at: number): EventShape | undefined {
    const shapes = this.#shapes;
    for (let i = 0; i < shapes.length; i++) {
      const shape = shapes[i] as EventShape;
      if (!shape.matches(bytes, at)) continue;
      shapes[i] = shapes[0] as EventShape;
      shapes[0] = shape;
      this.#met++;
      return shape;
    }
    return undefined;
  }

  /** From now on, events like this one are known. */
  learn(read: ReadEvent, places: EventPaths): EventShape | undefined {
    if (this.#learned >= UNUSED_MAX + this.#met / SHAPES_MAX) return undefined;
    this.#learned++;
    const shape = shapeOf(read, places);
    if (!shape) return undefined;
    this.#shapes.unshift(shape);
    if (this.#shapes.length > SHAPES_MAX) this.#shapes.pop();
    return shape;
  }

  forget(): void {
    this.#shapes.length = 0;
  }
}
