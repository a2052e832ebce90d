/** Why a backup cannot be made or put back. */
type BackupTrouble =
  /** There is a file of that name already. */
  | "exists"
  | "not_a_backup"
  /** It ends before it should: a copy that did not come to its end. */
  | "cut"
  /** A file in it is not what was packed. */
  | "damaged"
  /** Of a program that knows more than this one. */
  | "newer"
  /** A server, or a command, works in the folder. */
  | "in_use"
  /** There is an installation in the folder. */
  | "not_empty"
  /** What is in it is whole, and its books are wrong. */
  | "wrong_books"
  /** The secret is asked for too, and does not open what is sealed in the copy. */
  | "secret_other"
  /** The same, since a change of it has been begun and is not at its end. */
  | "secret_changing";

export class BackupFault extends Error {
  override readonly name = "BackupFault";
  readonly trouble: BackupTrouble;
  /** The file or the folder that it is about, or what is wrong with it. */
  readonly detail: string;

  constructor(trouble: BackupTrouble, detail = "") {
    super(`${trouble} ${detail}`.trim());
    this.trouble = trouble;
    this.detail = detail;
  }
}
