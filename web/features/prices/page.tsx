import { useSpeech } from "../../i18n/language.tsx";
import { useFilters } from "../../lib/filters.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { MarkupTab } from "./markup-tab.tsx";
import { ModelsTab } from "./models-tab.tsx";

export function PricesPage() {
  const { t } = useSpeech();
  const { values, set } = useFilters(["tab"]);
  return (
    <>
      <PageHeader title={t("prices.title")} description={t("prices.description")} />
      <Tabs
        label={t("prices.title")}
        value={values.tab === "settings" ? "settings" : "models"}
        onChange={(tab) => set({ tab: tab === "models" ? undefined : tab })}
        tabs={[
          { value: "models", label: t("prices.models"), content: <ModelsTab /> },
          { value: "settings", label: t("prices.markup"), content: <MarkupTab /> },
        ]}
      />
    </>
  );
}
