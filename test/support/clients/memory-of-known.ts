import { BodyMemory, type RequestMemory } from "../../../src/lib/bodies/body-memory.ts";
import { systemClock } from "../../../src/lib/clock.ts";

/** The memory of all bodies, with as many bytes as a test wants. */
export function bodyMemory(bytesMax = 1024 * 1024 * 1024, openCallsPerMinute = 600): BodyMemory {
  const limits = {
    office_body_bytes_in_flight_max: bytesMax,
    open_calls_per_minute: openCallsPerMinute,
  };
  return new BodyMemory(limits, systemClock);
}

/** The memory of a request whose sender is known. */
export function memoryOfKnown(bodies = bodyMemory(), owner = "account acct_1"): RequestMemory {
  const memory = bodies.ofRequest(() => "127.0.0.1");
  memory.belongsTo(owner);
  return memory;
}
