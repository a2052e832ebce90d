// What the environment of this very process says, for the time of a test: packages and Bun's own calls read it there.
import type { Parts } from "../houses/house.ts";

export function setEnvironment(parts: Parts, values: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(values)) {
    const before = process.env[name];
    process.env[name] = value;
    parts.defer(() => {
      if (before === undefined) delete process.env[name];
      else process.env[name] = before;
    });
  }
}
