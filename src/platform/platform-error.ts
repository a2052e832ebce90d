/** An answer with an error code, which is still HTTP 200. */
export class PlatformError extends Error {
  readonly errcode: number;
  /** The field at fault, for the log of calls: the wire does not tell it. */
  readonly field: string | undefined;
  /** The message where it is not the table's. */
  readonly text: string | undefined;

  constructor(errcode: number, field?: string, text?: string) {
    super(text ?? `refused with ${errcode}`);
    this.name = "PlatformError";
    this.errcode = errcode;
    this.field = field;
    this.text = text;
  }
}
