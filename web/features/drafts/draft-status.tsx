import type { DraftLine, DraftStatus } from "../../../src/drafts/contract/draft.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { Badge, type Tone } from "../../ui/badge.tsx";

type Shown = DraftStatus | "changed";

const TONES: Readonly<Record<Shown, Tone>> = {
  local: "neutral",
  pushing: "accent",
  in_box: "good",
  changed: "warn",
  refused: "bad",
  unknown: "warn",
  removed: "neutral",
  publishing: "accent",
  published: "good",
};

/** What is in the box may be older than what is here. */
export function isChanged({ status, version, pushed_version }: DraftLine): boolean {
  return status === "in_box" && version !== pushed_version;
}

export function DraftState({ draft }: { readonly draft: DraftLine }) {
  const { t } = useSpeech();
  const shown: Shown = isChanged(draft) ? "changed" : draft.status;
  return <Badge tone={TONES[shown]}>{t(`drafts.status_${shown}`)}</Badge>;
}
