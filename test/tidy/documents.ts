// Rules for every tracked file: titles of documents, and nothing of the machine it was written on.
import type { ProjectFile } from "./source.ts";

const LOCK_FILE = "package-lock.json";

/** Put together from parts, so that this file does not break its own rule. */
const registry = ["regis", "try"].join("");
const homes = ["wo" + "rk", "fa" + "rm", "ro" + "ot", "ho" + "me", "Us" + "ers"].join("|");
const REGISTRY = new RegExp(`//${registry}\\.|${registry}\\s*=\\s*https?:|//[^\\s/]*:4873\\b`, "i");
const MACHINE_PATH = new RegExp(`(?<![\\w./~:\\-])/(?:${homes})/[\\w.\\-]`);

/** A change since the last release, which the changelog will join: its first line is a section, not a title. */
const CHANGE = /^changes\/(?!README\.md$)/;

/** Markdown files without exactly one `# ` title outside blocks of code. */
export function titleProblems(files: ProjectFile[]): string[] {
  return files
    .filter(({ path }) => path.endsWith(".md") && !CHANGE.test(path))
    .flatMap(({ path, text }) => {
      const prose = text.replace(/^(```|~~~).*\n[\s\S]*?^\1/gm, "");
      const titles = prose.match(/^# /gm)?.length ?? 0;
      return titles === 1 ? [] : [`${path} has ${titles} titles`];
    });
}

/** Lines that hold only on one machine: where packages were fetched from, or where it was built. */
export function machineTraces(files: ProjectFile[]): string[] {
  return files.flatMap(({ path, text }) => {
    const trace = path === LOCK_FILE ? /"resolved"/ : MACHINE_PATH;
    return text.split("\n").flatMap((line, index) => {
      const found = trace.exec(line) ?? REGISTRY.exec(line);
      return found ? [`${path}:${index + 1} ${found[0]}`] : [];
    });
  });
}
