/** Why an installation stays where it is, or may. */
type MoveTrouble =
  /** There is an installation in the target. */
  | "not_empty"
  /** The source's own sums are wrong. */
  | "wrong_books"
  /** What arrived is not what was sent. */
  | "differs"
  /** The target cannot be reached, or would not take something. */
  | "refused"
  /** The connection was lost at the very end, and nobody can say whether all of it arrived. */
  | "unknown";

export class MoveFault extends Error {
  override readonly name = "MoveFault";
  readonly trouble: MoveTrouble;
  /** What it is about, a line for each. */
  readonly detail: string;

  constructor(trouble: MoveTrouble, detail: string, options?: ErrorOptions) {
    super(`${trouble}: ${detail}`, options);
    this.trouble = trouble;
    this.detail = detail;
  }
}
