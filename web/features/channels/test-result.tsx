import type { ChannelTest } from "../../../src/console/operator/contract/channels.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { formatDuration } from "../../lib/format.ts";
import { Badge } from "../../ui/badge.tsx";
import { VendorWords } from "./health-view.tsx";

/** How each key did, in the vendor's words where it did not. */
export function TestResult({ test }: { readonly test: Omit<ChannelTest, "object"> }) {
  const { t, locale } = useSpeech();
  return (
    <div className="rounded-lg border border-line px-3.5 py-2.5 text-sm">
      <p className="text-[13px] text-muted">
        {test.model ? t("channels.testedModel", { model: test.model }) : t("channels.testedList")}
      </p>
      <ul className="mt-1.5 flex flex-col gap-2">
        {test.keys.map((key) => (
          <li key={key.last_four}>
            <div className="flex flex-wrap items-center gap-2">
              <Badge tone={key.ok ? "good" : "bad"}>
                {key.ok ? t("channels.testOk") : t("channels.testFailed")}
              </Badge>
              {key.last_four && <span className="font-mono text-[13px]">…{key.last_four}</span>}
              <span className="text-[13px] text-muted tabular-nums">
                {formatDuration(key.latency_ms, locale)}
              </span>
              {key.status !== null && (
                <span className="text-[13px] text-muted">
                  {t("channels.httpStatus", { status: String(key.status) })}
                </span>
              )}
            </div>
            {key.error && <VendorWords>{key.error}</VendorWords>}
          </li>
        ))}
      </ul>
    </div>
  );
}
