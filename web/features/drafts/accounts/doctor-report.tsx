import {
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CircleHelp,
  CircleOff,
  type LucideIcon,
  TriangleAlert,
} from "lucide-react";
import type { Diagnosis, Finding } from "../../../../src/drafts/contract/public-account.ts";
import { useSpeech } from "../../../i18n/language.tsx";
import { CopyButton } from "../../../ui/code.tsx";
import { cx } from "../../../ui/cx.ts";
import { useRefusalWords } from "../push/problem-words.ts";
import { DestinationWords } from "./destination-words.tsx";

const LOOKS: Readonly<Record<Finding["state"], { icon: LucideIcon; look: string }>> = {
  ok: { icon: CircleCheck, look: "text-good" },
  failed: { icon: CircleAlert, look: "text-bad" },
  unknown: { icon: CircleHelp, look: "text-warn" },
  skipped: { icon: CircleDashed, look: "text-muted" },
  off: { icon: CircleOff, look: "text-muted" },
  warning: { icon: TriangleAlert, look: "text-warn" },
};

/** A verdict for each thing that must be right, with what to do where it is not. */
export function DoctorReport({ diagnosis }: { readonly diagnosis: Diagnosis }) {
  const { t } = useSpeech();
  const { healthy, findings, quota, destination } = diagnosis;
  return (
    <div role="status" className="mt-3 border-t border-line pt-3">
      <p className={cx("text-sm font-medium", healthy ? "text-good" : "text-bad")}>
        {t(healthy ? "drafts.doctorGood" : "drafts.doctorBad")}
      </p>
      <p className="mt-0.5 text-[13px]">
        {t("drafts.goesTo")} <DestinationWords destination={destination} />
      </p>
      <ul className="mt-2 flex flex-col gap-2">
        {findings.map((finding) => (
          <FindingRow key={finding.check} finding={finding} quota={quota} />
        ))}
      </ul>
    </div>
  );
}

interface FindingRowProps {
  readonly finding: Finding;
  readonly quota: Diagnosis["quota"];
}

function FindingRow({ finding, quota }: FindingRowProps) {
  const { t } = useSpeech();
  const { state, message, check } = finding;
  const reasonOf = useReasonWords();
  const { icon: Icon, look } = LOOKS[state];
  const left = check === "quota" && quota && t("drafts.quotaLeft", quota);
  return (
    <li className="flex items-start gap-2.5 text-sm">
      <Icon size={16} aria-hidden="true" className={cx("mt-0.5 shrink-0", look)} />
      <div className="min-w-0 flex-1">
        <p>
          {t(labelOf(finding))}
          <span className="text-muted">
            {" · "}
            {left || t(`drafts.found_${state}`)}
          </span>
        </p>
        {state === "failed" && <Advice finding={finding} />}
        {(state === "off" || state === "warning") && (
          <p className="text-[13px] break-words">{reasonOf(finding)}</p>
        )}
        {state === "unknown" && <p className="text-[13px] break-words text-muted">{message}</p>}
      </div>
    </li>
  );
}

type Label = `drafts.check_${Finding["check"] | "credential_supplied" | "credential_component"}`;

/** What a check is called: a token that is had otherwise is no AppSecret. */
function labelOf({ check, reason }: Finding): Label {
  const isOther = check === "credential" && (reason === "supplied" || reason === "component");
  return isOther ? `drafts.check_credential_${reason}` : `drafts.check_${check}`;
}

/** The cause in the visitor's language; one that is not known here, in the server's words. */
function useReasonWords(): (finding: Finding) => string {
  const { t } = useSpeech();
  return ({ reason, message }) => {
    const key = `drafts.reason_${reason}` as "drafts.reason_unverified";
    const words = t(key);
    return words === key ? message : words;
  };
}

/** The kinds of refusal whose words are not those of the platform's code. */
function classOf({ check, reason }: Finding): string {
  return check === "credential" && reason === "supplied" ? "token_source" : check;
}

function Advice({ finding }: { readonly finding: Finding }) {
  const { t } = useSpeech();
  const wordsOf = useRefusalWords();
  const reasonOf = useReasonWords();
  const { errcode, fix, ip, message, reason } = finding;
  const advice =
    reason === "unverified"
      ? reasonOf(finding)
      : wordsOf({ errcode, class: classOf(finding), fix: fix ?? message });
  return (
    <div className="mt-1 flex flex-col gap-2 text-[13px]">
      <p>{ip ? t("drafts.allowIp") : advice}</p>
      {ip && (
        <p className="flex flex-wrap items-center gap-2">
          <code className="rounded bg-sunken px-2 py-1.5 font-mono text-sm">{ip}</code>
          <CopyButton wordy text={ip} label={t("drafts.copyIp")} />
        </p>
      )}
      {errcode !== null && <p className="font-mono text-xs break-words text-muted">{message}</p>}
    </div>
  );
}
