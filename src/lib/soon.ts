/** What is there already, or will be: a thing that memory decides need not wait for a turn of the loop. */
export type Soon<T> = T | Promise<T>;

/** Goes on with what is there at once, and with what is not when it comes. */
export function whenThere<T, U>(soon: Soon<T>, next: (value: T) => Soon<U>): Soon<U> {
  return soon instanceof Promise ? soon.then(next) : next(soon);
}
