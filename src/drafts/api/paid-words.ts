// What a model has written is paid for, and must not be lost with whatever fails after it.
import { asFault, Fault } from "../../lib/faults.ts";
import type { Shortened, Written } from "../contract/draft.ts";

/** The same fault with more facts, where it does not have them itself. */
export function withFacts(fault: Fault, facts: Readonly<Record<string, unknown>>): Fault {
  return new Fault(fault.fault, fault.message, {
    param: fault.param ?? undefined,
    headers: fault.headers,
    facts: { ...facts, ...fault.facts },
    cause: fault,
  });
}

/** Without the pictures that the caller has sent: a fault may be kept for others, and those can be many megabytes. */
function wordsOf(written: Written | Shortened) {
  if (!("article" in written)) return written;
  const { cover: _cover, images: _images, ...article } = written.article;
  return { ...written, article };
}

/** Work that comes after a model has written: where it fails, the fault has the words and what they cost. */
export async function bringingWords<T>(
  written: Written | Shortened,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw withFacts(asFault(thrown), { writing: written.writing, written: wordsOf(written) });
  }
}
