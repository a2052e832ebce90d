import { mistake } from "./arguments.ts";

/** More than any secret has; whoever pipes a film into us is told so. */
const INPUT_CHARS_MAX = 65_536;
const [ENTER, RETURN, INTERRUPT, BACKSPACE, DELETE] = ["\n", "\r", "\u0003", "\b", "\u007f"];

/** All of the standard input. */
export async function readInput(stream: AsyncIterable<Uint8Array | string>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    text += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
    if (text.length > INPUT_CHARS_MAX) throw mistake("secretsTooLong");
  }
  return text.trim();
}

/** What a key does to the line so far. */
function typed(line: string, key: string): { readonly line: string; readonly isDone: boolean } {
  if (key === ENTER || key === RETURN) return { line, isDone: true };
  if (key === BACKSPACE || key === DELETE) return { line: line.slice(0, -1), isDone: false };
  return { line: line + key, isDone: false };
}

interface Terminal {
  readonly stdin: AsyncIterable<Uint8Array | string> & {
    setRawMode(on: boolean): unknown;
    pause(): unknown;
  };
  readonly stderr: { write(text: string): unknown };
}

/** Asks at a terminal and shows nothing of the answer. */
export async function askSecret(
  question: string,
  { stdin, stderr }: Terminal = process,
): Promise<string> {
  stderr.write(question);
  stdin.setRawMode(true);
  try {
    let line = "";
    for await (const chunk of stdin) {
      for (const key of Buffer.from(chunk as string).toString()) {
        if (key === INTERRUPT) throw mistake("givenUp");
        const next = typed(line, key);
        if (next.isDone) return next.line.trim();
        line = next.line;
      }
    }
    return line.trim();
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    stderr.write("\n");
  }
}
