import { useQuery } from "@tanstack/react-query";
import { Navigate, useLocation, useParams, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { InvitationOffer } from "../../../src/accounts/contract/invitations.ts";
import type { Me } from "../../../src/accounts/contract/me.ts";
import { ROLE_WORDS } from "../../app/sidebar.tsx";
import { useSpeech } from "../../i18n/language.tsx";
import { ApiError, api, isMissing } from "../../lib/api.ts";
import { type SignedUp, signUp } from "../../lib/auth/auth.ts";
import type { Search } from "../../lib/filters.ts";
import { Link, TextLink } from "../../lib/link.tsx";
import { useResource } from "../../lib/queries.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { useToast } from "../../ui/toasts/toast.tsx";
import { Gate, GateUnanswered } from "./gate.tsx";
import {
  forgetInvitation,
  heldInvitation,
  holdInvitation,
  INVITATION_PATH,
} from "./held-invitation.ts";
import { NewPersonForm } from "./new-person-form.tsx";
import { useEnter, useSignInOptions } from "./sign-in-page.tsx";

export function SignUpPage() {
  const { t, rich } = useSpeech();
  const search: Search = useSearch({ strict: false });
  const enter = useEnter();
  const options = useSignInOptions();
  const [waiting, setWaiting] = useState<{ why: Exclude<SignedUp, "in">; email: string }>();
  const invitation = search.to === INVITATION_PATH ? heldInvitation() : undefined;
  const link = (
    <TextLink to="/sign-in" search={search}>
      {t("auth.signIn")}
    </TextLink>
  );
  const foot = rich("auth.haveAccount", { link });
  if (options && options.signup !== "open" && !invitation) {
    return <Gate title={t("auth.signUpTitle")} hint={t("auth.inviteOnly")} foot={foot} />;
  }
  if (waiting) {
    const email = <strong className="font-medium text-text">{waiting.email}</strong>;
    return waiting.why === "confirm" ? (
      <Gate title={t("auth.sentTitle")} hint={rich("auth.confirmSent", { email })} foot={foot} />
    ) : (
      <Gate title={t("auth.takenTitle")} hint={rich("auth.takenHint", { email })} foot={foot} />
    );
  }
  return (
    <Gate title={t("auth.signUpTitle")} foot={foot}>
      <NewPersonForm
        action={t("auth.signUp")}
        email={invitation && search.email}
        submit={async ({ name, email, password }) => {
          // The invitation lets in whom the policy would refuse, and opens no account beside.
          if (invitation) await accept(invitation, { name, password });
          else {
            const why = await signUp(name, email.trim(), password);
            if (why !== "in") return setWaiting({ why, email: email.trim() });
          }
          await enter(invitation ? "/" : search.to);
        }}
      />
    </Gate>
  );
}

async function accept(token: string, person: object = {}): Promise<void> {
  await api.post("/api/invitations/accept", { token, ...person });
  forgetInvitation();
}

/** Links of before had the token in their path; it goes on behind the number sign, as it is now. */
export function OldInvitationPage() {
  const { token = "" } = useParams({ strict: false }) as { token?: string };
  return <Navigate to={INVITATION_PATH} hash={token} replace />;
}

export function InvitationPage() {
  const { t } = useSpeech();
  const hash = useLocation({ select: (location) => location.hash });
  const token = hash ? holdInvitation(hash) : heldInvitation();
  const invitation = useQuery({
    queryKey: ["/api/invitations/open", token],
    queryFn: () => api.post<InvitationOffer>("/api/invitations/open", { token }),
    enabled: token !== undefined,
    retry: false,
  });
  const me = useResource<Me>("/api/me");
  if (isMissing(invitation.error) || token === undefined) {
    return <Gate title={t("auth.inviteGone")} hint={t("auth.inviteGoneHint")} />;
  }
  const unsigned = me.error instanceof ApiError && me.error.status === 401;
  if (!invitation.data || !(me.data || unsigned)) {
    const asked = invitation.data ? me : invitation;
    return <GateUnanswered {...asked} title={t("nav.account")} />;
  }
  const { account_name: account, role, email } = invitation.data;
  return (
    <Gate
      title={t("auth.inviteTitle", { account })}
      hint={t("auth.inviteHint", { role: t(ROLE_WORDS[role]), email })}
    >
      {me.data ? <AcceptButton token={token} /> : <SignInFirst email={email} />}
    </Gate>
  );
}

function AcceptButton({ token }: { readonly token: string }) {
  const { t } = useSpeech();
  const toast = useToast();
  const enter = useEnter();
  const join = async () => {
    await accept(token);
    await enter();
  };
  return (
    <Button kind="primary" className="w-full" onClick={() => void join().catch(toast.failed)}>
      {t("auth.inviteAction")}
    </Button>
  );
}

function SignInFirst({ email }: { readonly email: string }) {
  const { t } = useSpeech();
  const to = INVITATION_PATH;
  return (
    <div className="flex flex-col gap-3 text-center text-sm text-muted">
      {t("auth.inviteSignIn")}
      <Link to="/sign-in" search={{ to }} className={buttonClass("primary")}>
        {t("auth.signIn")}
      </Link>
      <Link to="/sign-up" search={{ to, email }} className={buttonClass("plain")}>
        {t("auth.signUp")}
      </Link>
    </div>
  );
}
