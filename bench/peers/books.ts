// Whoever keeps books that can be proved must have kept them right, or the run has no figures at all.
import type { Contestant, Say } from "./measure.ts";
import type { BooksProof } from "./peer.ts";

/** The proofs by id. Throws when books are wrong, and when an answer was, since its charge is then unknown. */
export async function proveBooks(
  contestants: readonly Contestant[],
  say: Say,
): Promise<Map<string, BooksProof>> {
  const proofs = new Map<string, BooksProof>();
  for (const { id, running, answered, fault } of contestants) {
    if (!running.prove) continue;
    if (fault !== undefined) throw new Error(`${id} answered wrongly: ${fault}`);
    proofs.set(id, await running.prove(answered));
    say(`${id}: ${answered} answers, and its books say the same`);
  }
  return proofs;
}
