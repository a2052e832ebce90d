/** What a writer thread is started with. */
export interface WorkerSettings {
  readonly role: "money" | "responses" | "console";
  readonly path: string;
  readonly create: boolean;
  readonly owner: string;
}

export type WorkerRequest =
  | { readonly id: number /** Packed operations. */; readonly batch: string }
  | { readonly id: number; readonly call: string; readonly args: readonly unknown[] };

export interface WorkerFailure {
  readonly name: string;
  readonly message: string;
}

/** The first reply has id 0: the file is open, or it could not be opened. */
export interface WorkerReply {
  readonly id: number;
  readonly result?: unknown;
  /** In a batch's result, the failures by position. */
  readonly failures?: readonly (readonly [number, WorkerFailure])[];
  readonly failure?: WorkerFailure;
}
