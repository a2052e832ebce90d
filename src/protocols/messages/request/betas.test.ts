import { expect, test } from "bun:test";
import { passedBetas } from "./betas.ts";

test("only features that cost tokens and nothing else pass", () => {
  expect(passedBetas(null)).toBeUndefined();
  expect(
    passedBetas("files-api-2025-04-14, skills-2025-10-02,mcp-client-2025-11-20"),
  ).toBeUndefined();
  expect(passedBetas("code-execution-2025-05-22,fast-mode-2026-02-01,effort")).toBeUndefined();
  const features = "claude-code-20250219,interleaved-thinking-2025-05-14,effort-2025-11-24";
  expect(
    passedBetas(`${features}, files-api-2025-04-14, context-1m-2025-08-07, effort-2025-11-24`),
  ).toBe(features);
});
