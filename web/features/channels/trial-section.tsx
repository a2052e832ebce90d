import { PlugZap } from "lucide-react";
import { type MouseEvent, useEffect, useRef } from "react";
import { useSpeech } from "../../i18n/language.tsx";
import { Notice } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import type { ChannelFieldsProps } from "./channel-fields.tsx";
import { ModelPicker } from "./model-picker.tsx";
import { TestResult } from "./test-result.tsx";
import type { Tried } from "./trial.ts";

interface TrialSectionProps extends ChannelFieldsProps {
  readonly tried: Tried | undefined;
  readonly busy: boolean;
  readonly onTry: (event: MouseEvent<HTMLButtonElement>) => void;
}

/** Tries the channel before it is saved, and offers what its vendor lists. */
export function TrialSection({ form, tried, busy, onTry }: TrialSectionProps) {
  const { t } = useSpeech();
  const listed = tried?.result?.models;
  const outcome = useRef<HTMLDivElement>(null);
  // It comes below what was pressed, and may be out of sight there.
  useEffect(() => {
    if (tried) outcome.current?.scrollIntoView({ block: "nearest" });
  }, [tried]);
  return (
    <section className="flex flex-col gap-3 rounded-lg border border-line px-3.5 py-3">
      <div className="flex items-center justify-between gap-3">
        <p className="text-[13px] text-muted">{t("channels.tryHint")}</p>
        <Button busy={busy} onClick={onTry}>
          <PlugZap size={15} />
          {t("channels.try")}
        </Button>
      </div>
      <div ref={outcome} aria-live="polite" className="flex flex-col gap-3 empty:hidden">
        {tried?.problem && <Notice tone="warn">{tried.problem}</Notice>}
        {tried?.result && <TestResult test={tried.result} />}
      </div>
      {listed && listed.length > 0 && <ModelPicker form={form} listed={listed} />}
    </section>
  );
}
