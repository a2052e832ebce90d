import { useSpeech } from "../../i18n/language.tsx";
import { ApiError } from "../../lib/api.ts";
import { NOT_SIGNED_IN } from "../../lib/auth/signed-out.ts";
import { TextLink } from "../../lib/link.tsx";
import { Notice } from "../../ui/badge.tsx";

function keyOf(problem: unknown): string | undefined {
  const id = problem instanceof ApiError ? problem.facts.key_id : undefined;
  return typeof id === "string" ? id : undefined;
}

/** Why there is no answer, or only half of one. */
export function TurnProblem({ problem }: { readonly problem: unknown }) {
  return (
    <div role="alert" className="mt-2">
      <Notice tone="bad">
        <Words problem={problem} />
      </Notice>
    </div>
  );
}

function Words({ problem }: { readonly problem: unknown }) {
  const { t } = useSpeech();
  if (typeof problem === "string") return problem;
  if (!(problem instanceof ApiError)) return t("errors.offline");
  // Whoever is not signed in any more is asked to, and comes back here.
  if (problem.code === NOT_SIGNED_IN) {
    return (
      <>
        {t("playground.signedOut")}{" "}
        <TextLink to="/sign-in" search={{ to: "/playground" }}>
          {t("playground.signIn")}
        </TextLink>
      </>
    );
  }
  const key = keyOf(problem);
  if (key !== undefined) {
    return (
      <>
        {t("playground.keyOff")}{" "}
        <TextLink to={`/keys/${key}`}>{t("playground.keyOffAction")}</TextLink>
      </>
    );
  }
  // The gateway's own words say exactly which limit or member it is about.
  return problem.message;
}
