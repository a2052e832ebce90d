import { useSpeech } from "../../i18n/language.tsx";
import { useFilters } from "../../lib/filters.ts";
import { lazyPart } from "../../lib/lazy-part.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { MarginTab } from "./margin-tab.tsx";
import { VerifyCard } from "./verify-card.tsx";

const HoldsTab = lazyPart(() => import("./holds-tab.tsx"), "HoldsTab");
const InputTab = lazyPart(() => import("./input-tab.tsx"), "InputTab");
const OverageTab = lazyPart(() => import("./overage-tab.tsx"), "OverageTab");

const TABS = ["margin", "holds", "overage", "input"] as const;

export function LedgerPage() {
  const { t } = useSpeech();
  const { values, set } = useFilters(["tab"]);
  return (
    <>
      <PageHeader title={t("ledger.title")} description={t("ledger.description")} />
      <div className="flex flex-col gap-6">
        <VerifyCard />
        <Tabs
          label={t("ledger.title")}
          value={TABS.find((tab) => tab === values.tab) ?? "margin"}
          onChange={(tab) => set({ tab: tab === "margin" ? undefined : tab })}
          tabs={[
            { value: "margin", label: t("ledger.margin"), content: <MarginTab /> },
            { value: "holds", label: t("ledger.holds"), content: <HoldsTab /> },
            { value: "overage", label: t("ledger.overage"), content: <OverageTab /> },
            { value: "input", label: t("ledger.input"), content: <InputTab /> },
          ]}
        />
      </div>
    </>
  );
}
