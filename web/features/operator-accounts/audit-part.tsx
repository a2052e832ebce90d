import { useSpeech } from "../../i18n/language.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { AuditList } from "../audit/audit-list.tsx";
import { useAccountInView } from "./account-in-view.ts";

/** What was changed in this account, and by whom. */
export function AuditPart() {
  const { t } = useSpeech();
  const { id } = useAccountInView();
  return (
    <>
      <PageHeader title={t("nav.audit")} />
      <AuditList account={id} />
    </>
  );
}
