import { Fault, type FaultName } from "../../lib/faults.ts";

/** A fault as it is kept for those who wait for the same outcome, maybe in another process. */
export interface KeptFault {
  readonly fault: FaultName;
  readonly message: string;
  readonly param: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly facts: Readonly<Record<string, unknown>>;
}

export function keepFault({ fault, message, param, headers, facts }: Fault): KeptFault {
  return { fault, message, param, headers, facts };
}

export function sameFault({ fault, message, param, headers, facts }: KeptFault): Fault {
  return new Fault(fault, message, { param: param ?? undefined, headers, facts });
}
