import { Fault } from "../../lib/faults.ts";

/** A fault as it is kept for those who wait for the same outcome, maybe in another process. */
export type KeptFault = Pick<Fault, "fault" | "message" | "param" | "headers" | "facts">;

export function keepFault({ fault, message, param, headers, facts }: Fault): KeptFault {
  return { fault, message, param, headers, facts };
}

export function sameFault({ fault, message, param, headers, facts }: KeptFault): Fault {
  return new Fault(fault, message, { param: param ?? undefined, headers, facts });
}
