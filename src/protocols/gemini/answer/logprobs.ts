import { isObject, type JsonObject } from "../../fields.ts";
import { objectsOf } from "../../optional.ts";

/** Log probabilities, in the words of this vendor and in those that the wires share. */

function readCandidate(candidate: JsonObject): JsonObject {
  const token = String(candidate.token ?? "");
  return { token, logprob: candidate.logProbability ?? 0, bytes: [...Buffer.from(token)] };
}

export function readLogprobs(candidate: JsonObject): JsonObject[] {
  const result = candidate.logprobsResult;
  if (!isObject(result)) return [];
  const alternatives = objectsOf(result.topCandidates);
  return objectsOf(result.chosenCandidates).map((chosen, i) => ({
    ...readCandidate(chosen),
    top_logprobs: objectsOf(alternatives[i]?.candidates).map(readCandidate),
  }));
}

function writeCandidate({ token, logprob }: JsonObject): JsonObject {
  return { token, logProbability: logprob };
}

export function writeLogprobs(logprobs: readonly JsonObject[] | undefined): JsonObject {
  if (!logprobs || logprobs.length === 0) return {};
  return {
    logprobsResult: {
      topCandidates: logprobs.map(({ top_logprobs }) => ({
        candidates: objectsOf(top_logprobs).map(writeCandidate),
      })),
      chosenCandidates: logprobs.map(writeCandidate),
    },
  };
}
