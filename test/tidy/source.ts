// The project's files as the tidy rules see them.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { maskSource } from "./mask.ts";

/** A file of the project; its path is relative to the project and has forward slashes. */
export interface ProjectFile {
  path: string;
  text: string;
}

/** A TypeScript file with what the rules must not read blanked out; offsets are equal in all three. */
export interface Source extends ProjectFile {
  /** Without the words of comments, strings, templates and regular expressions. */
  code: string;
  /** Without comments only. */
  uncommented: string;
}

const NOT_OURS = new Set([".git", ".scratch", "node_modules", "data", "dist", "build"]);

export function readProject(): ProjectFile[] {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const files: ProjectFile[] = [];
  const walk = (folder: string) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (NOT_OURS.has(entry.name) || entry.name.endsWith(".log")) continue;
      if (entry.isDirectory()) walk(path);
      else if (entry.isFile()) files.push({ path, text: readFileSync(join(root, path), "utf8") });
    }
  };
  walk("");
  // A byte of zero marks what is not text.
  return files.filter((file) => !file.text.includes("\0"));
}

export function toSource(path: string, text: string): Source {
  return { path, text, ...maskSource(text) };
}

export function isTest(path: string): boolean {
  return path.endsWith(".test.ts");
}

export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}
