import { useQuery } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { useState } from "react";
import type { OpenedLink } from "../../../src/accounts/contract/operators.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { api, isMissing } from "../../lib/api.ts";
import { TextLink } from "../../lib/link.tsx";
import { Command } from "./command.tsx";
import { Gate, GateUnanswered } from "./gate.tsx";
import { NewPersonForm } from "./new-person-form.tsx";
import { useEnter } from "./sign-in-page.tsx";

const LINK_COMMAND = "./bin/faregate operator link";

/** Whoever has the link that the server printed: the first of a fresh installation, or one more operator. */
export function WelcomePage() {
  const { t, rich } = useSpeech();
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
  if (late || isMissing(link.error)) {
    const hint = rich("auth.linkGoneHint", { command });
    return <Gate title={t("auth.linkGone")} hint={hint} foot={foot} />;
  }
  // Who is filling in the form goes on, whatever comes of asking again.
  if (link.data) {
    return <NewOperator token={token} first={link.data.first} onGone={() => setLate(true)} />;
  }
  return <GateUnanswered {...link} title={t("auth.linkTitle")} />;
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
            if (isMissing(thrown)) return onGone();
            throw thrown;
          }
          await enter();
        }}
      />
    </Gate>
  );
}
