import { isObject, type JsonObject } from "./fields.ts";

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The members that have a value, so that absent ones stay absent in what is written. */
export function present<T extends object>(members: T): Present<T> {
  const kept: Partial<T> = {};
  for (const name in members) {
    if (members[name] !== undefined) kept[name] = members[name];
  }
  return kept as Present<T>;
}

export function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function number(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

export function boolean(value: unknown): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}

/** A text, empty where there is none. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** A finite number, zero where there is none. */
export function numberOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

const NO_MEMBERS: JsonObject = Object.freeze({});

/** An object, empty where there is none. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : NO_MEMBERS;
}

/** The objects of a list, where there is one. */
export function objectsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The texts of a list, where there is one. */
export function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}
