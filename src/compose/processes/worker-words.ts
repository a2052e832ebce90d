/** The variable by which a supervisor tells a worker which one it is. */
const PLACE = "FAREGATE_WORKER";

/** One of several gates on one port. */
export interface WorkerIdentity {
  readonly index: number;
  /** Where the sockets between the processes are. */
  readonly folder: string;
  /** The first one says where the server is, at its first start. */
  readonly greets: boolean;
}

/** What a worker tells its supervisor. */
export type WorkerWord =
  | { readonly kind: "ready"; readonly port: number }
  /** It wants the office, or has had its answer. */
  | { readonly kind: "take" | "free"; readonly id: number }
  /** The answer to `ask`. */
  | { readonly kind: "alive" };

/** What a supervisor tells a worker. */
export type SupervisorWord =
  /** Asks whether it is alive. */
  | { readonly kind: "ask" }
  /** The office can be asked, or why it cannot. */
  | { readonly kind: "office"; readonly id: number; readonly failure: string | undefined };

/** Undefined for a process that no supervisor has started. */
export function workerIdentity(env: Readonly<Record<string, string | undefined>>) {
  const text = env[PLACE];
  return text === undefined ? undefined : (JSON.parse(text) as WorkerIdentity);
}

export function workerEnvironment(place: WorkerIdentity): Record<string, string> {
  return { [PLACE]: JSON.stringify(place) };
}
