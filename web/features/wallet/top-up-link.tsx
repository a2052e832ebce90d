import { useSpeech } from "../../i18n/language.tsx";
import { Link } from "../../lib/link.tsx";
import { useSession } from "../../lib/session.tsx";
import { buttonClass } from "../../ui/button.tsx";

/** The way out of an empty wallet, for those who may. */
export function TopUpLink() {
  const { t } = useSpeech();
  const { may } = useSession();
  if (!may("owner")) return null;
  return (
    <Link to="/wallet" search={{ dialog: "topup" }} className={buttonClass("primary")}>
      {t("wallet.topUp")}
    </Link>
  );
}
