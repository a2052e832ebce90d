import { useSpeech } from "../../i18n/language.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { AuditList } from "./audit-list.tsx";

export function AuditPage() {
  const { t } = useSpeech();
  return (
    <>
      <PageHeader title={t("audit.title")} description={t("audit.description")} />
      <AuditList />
    </>
  );
}
