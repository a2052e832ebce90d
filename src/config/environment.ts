import { statSync } from "node:fs";
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

function isFileInTheWay(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === false;
  } catch (thrown) {
    return (thrown as { code?: string }).code === "ENOTDIR";
  }
}

/** A folder, which whoever needs it makes where it is missing. */
export function folderPath(env: Environment, name: string, fallback: string): string {
  const path = env[name] || fallback;
  if (!isFileInTheWay(path)) return path;
  throw new ConfigError(
    `${name} is "${path}", but a file is there; name a folder, or a path where a folder can be created.`,
  );
}

/** A count or a time within its bounds; the usual one where nothing is said. */
export function wholeNumber(
  env: Environment,
  name: string,
  fallback: number,
  max: number,
  min = 0,
): number {
  const text = env[name];
  if (text === undefined || text === "") return fallback;
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value > max || value < min) {
    throw new ConfigError(`${name} is "${text}"; it must be a whole number from ${min} to ${max}.`);
  }
  return value;
}
