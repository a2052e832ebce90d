/** How a gate comes to the office, wherever that is kept. */
export interface OfficeAccess {
  /** Whether there is one, or one on its way, as far as is known here. */
  readonly isRunning: boolean;
  /** Resolves once the office can be asked, with the way to say that it was. */
  take(): Promise<() => void>;
  /** Somebody was not answered: waits until it is known that the office has died, if it has. */
  doubt(): Promise<void>;
  /** Looks whether the office is needed for what nobody asks, or by nobody any more. */
  look(): Promise<void>;
  /** No office any more, as far as this gate is concerned. It has so long to end in order. */
  close(waitMs: number): Promise<void>;
  /** The same at once. */
  abandon(): void;
}
