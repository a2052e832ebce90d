/** A value, or a promise of it. A value that memory knows need not wait for a tick of the event loop. */
export type MaybePromise<T> = T | Promise<T>;

/** Calls `next` at once with a value, and later with the value of a promise. */
export function whenThere<T, U>(
  given: MaybePromise<T>,
  next: (value: T) => MaybePromise<U>,
): MaybePromise<U> {
  return given instanceof Promise ? given.then(next) : next(given);
}
