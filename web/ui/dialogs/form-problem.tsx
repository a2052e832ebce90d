import { Notice } from "../badge.tsx";

/** What is wrong with the form as a whole. */
export function FormProblem({ words }: { readonly words: string | undefined }) {
  if (!words) return null;
  return (
    <div role="alert">
      <Notice tone="bad">{words}</Notice>
    </div>
  );
}
