import { useQuery } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { useState } from "react";
import type { OpenedLink } from "../../../src/accounts/contract/operators.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { ApiError, api } from "../../lib/api.ts";
import { useErrorWords } from "../../lib/error-words.ts";
import { TextLink } from "../../lib/link.tsx";
import { Button } from "../../ui/button.tsx";
import { Command } from "./command.tsx";
import { Gate } from "./gate.tsx";
import { NewPersonForm } from "./new-person-form.tsx";
import { useEnter } from "./sign-in-page.tsx";

const LINK_COMMAND = "./bin/faregate operator link";

function isGone(thrown: unknown): boolean {
  return thrown instanceof ApiError && thrown.status === 404;
}

/** Whoever has the link that the server printed: the first of a fresh installation, or one more operator. */
export function WelcomePage() {
  const { t, rich } = useSpeech();
  const wordsOf = useErrorWords();
  // Behind the number sign, where no server and no other site reads it.
  const token = useLocation({ select: ({ hash }) => hash });
  const [late, setLate] = useState(false);
  const link = useQuery({
    queryKey: ["/api/operator-link/open", token],
    queryFn: () => api.post<OpenedLink>("/api/operator-link/open", { token }),
    enabled: token !== "",
    retry: false,
  });
  const command = <Command>{LINK_COMMAND}</Command>;
  const signIn = <TextLink to="/sign-in">{t("auth.signIn")}</TextLink>;
  const foot = rich("auth.haveAccount", { link: signIn });
  if (!token) {
    const hint = rich("auth.welcomeNoToken", { command });
    return <Gate title={t("auth.linkTitle")} hint={hint} foot={foot} />;
  }
  if (late || isGone(link.error)) {
    const hint = rich("auth.linkGoneHint", { command });
    return <Gate title={t("auth.linkGone")} hint={hint} foot={foot} />;
  }
  if (link.error) {
    return (
      <Gate title={t("auth.linkTitle")} hint={wordsOf(link.error)}>
        <Button onClick={() => void link.refetch()}>{t("words.retry")}</Button>
      </Gate>
    );
  }
  if (!link.data) return <Gate key="waiting" waiting title={t("auth.linkTitle")} />;
  return <NewOperator token={token} first={link.data.first} onGone={() => setLate(true)} />;
}

interface NewOperatorProps {
  readonly token: string;
  /** Nobody runs the installation yet: the visitor also says whose it is. */
  readonly first: boolean;
  /** The link has expired while the form was filled in. */
  readonly onGone: () => void;
}

function NewOperator({ token, first, onGone }: NewOperatorProps) {
  const { t } = useSpeech();
  const enter = useEnter();
  return (
    <Gate title={first ? t("auth.welcomeTitle") : t("auth.linkTitle")} hint={t("auth.welcomeHint")}>
      <NewPersonForm
        action={t("auth.welcomeAction")}
        company={first}
        submit={async ({ company, ...person }) => {
          const named = first ? { company: company.trim() } : {};
          try {
            await api.post("/api/operator-link", { token, ...person, ...named });
          } catch (thrown) {
            if (isGone(thrown)) return onGone();
            throw thrown;
          }
          await enter();
        }}
      />
    </Gate>
  );
}
