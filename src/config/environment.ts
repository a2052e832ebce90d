import { ConfigError } from "./members.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** One of these words; the first of them where nothing is said. */
export function oneOf<T extends string>(env: Environment, name: string, values: readonly T[]): T {
  const value = env[name] || values[0];
  const found = values.find((candidate) => candidate === value);
  if (found !== undefined) return found;
  throw new ConfigError(`${name} is "${value}"; it must be one of ${values.join(", ")}.`);
}

export function webAddress(name: string, text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new ConfigError(`${name} is not an address; write it as https://…`);
  }
  return text.replace(/\/+$/, "");
}
