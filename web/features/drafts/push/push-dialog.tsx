import { Check, CircleAlert, CircleCheck, ExternalLink, LoaderCircle } from "lucide-react";
import type { ReactNode } from "react";
import type { PublicAccount } from "../../../../src/drafts/contract/public-account.ts";
import type { PlatformRefusal, Receipt } from "../../../../src/drafts/contract/push.ts";
import { useSpeech } from "../../../i18n/language.tsx";
import { ApiError } from "../../../lib/api.ts";
import { useErrorWords } from "../../../lib/error-words.ts";
import { Badge, Notice } from "../../../ui/badge.tsx";
import { Button, buttonClass } from "../../../ui/button.tsx";
import { Code, CopyButton } from "../../../ui/code.tsx";
import { cx } from "../../../ui/cx.ts";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { Money } from "../../../ui/money.tsx";
import { DestinationWords } from "../accounts/destination-words.tsx";
import { useFileSize } from "../editor/counter.tsx";
import { MaterialLink } from "../material-link.tsx";
import { isInDoubt } from "./in-doubt.ts";
import { useProblemWords, useRefusalWords } from "./problem-words.ts";
import { type Pushing, problemsOf, STEPS } from "./pushing.ts";

interface PushDialogProps {
  readonly account: PublicAccount | undefined;
  readonly pushing: Pushing;
  /** Of models that wrote a part of it; null where a part is not told. */
  readonly cost: string | null;
}

/** What happens to a push while it happens, and what came of it. */
export function PushDialog({ account, pushing, cost }: PushDialogProps) {
  const { t } = useSpeech();
  const { receipt, error, close, start, isRunning } = pushing;
  const isOver = receipt !== undefined || error !== null;
  const isUnknown = error !== null && isInDoubt(error);
  const footer = isOver && (
    <>
      {receipt?.url && (
        <a href={receipt.url} target="_blank" rel="noreferrer" className={buttonClass()}>
          <ExternalLink size={15} />
          {t("drafts.pushOpen")}
        </a>
      )}
      {receipt && <MaterialLink path={account?.material_path} mediaId={receipt.media_id} />}
      {isUnknown && (
        <Button kind="primary" busy={isRunning} onClick={() => start(false)}>
          {t("drafts.pushFind")}
        </Button>
      )}
      <Button kind={isUnknown ? "plain" : "primary"} onClick={close}>
        {receipt ? t("words.done") : t("words.close")}
      </Button>
    </>
  );
  return (
    <Dialog stays onClose={close} title={t("drafts.pushTitle")} footer={footer}>
      {!isOver && <Steps pushing={pushing} account={account?.name ?? ""} />}
      {receipt && <Result cost={cost} receipt={receipt} account={account?.name ?? ""} />}
      {!receipt && error !== null && <Failure error={error} />}
    </Dialog>
  );
}

function Steps({ pushing, account }: { readonly pushing: Pushing; readonly account: string }) {
  const { t } = useSpeech();
  const now = STEPS.indexOf(pushing.step);
  return (
    <ol role="status" className="flex flex-col gap-3 py-1">
      {STEPS.map((step, place) => (
        <li
          key={step}
          aria-current={place === now ? "step" : undefined}
          className={cx("flex items-center gap-2.5 text-sm", place > now && "text-muted")}
        >
          <span className="flex size-5 items-center justify-center">
            {place < now && <Check size={16} className="text-good" />}
            {place === now && <LoaderCircle size={16} className="animate-spin text-accent" />}
            {place > now && <span className="size-1.5 rounded-full bg-line-strong" />}
          </span>
          {t(`drafts.step_${step}`, { account })}
        </li>
      ))}
    </ol>
  );
}

interface ResultProps {
  readonly cost: string | null;
  readonly receipt: Receipt;
  readonly account: string;
}

function Result({ cost, receipt, account }: ResultProps) {
  const { t } = useSpeech();
  const size = useFileSize();
  const { media_id, rids, sandbox, reconciled, destination } = receipt;
  return (
    <div className="flex flex-col gap-4">
      <p role="status" className="flex items-start gap-2.5 font-medium">
        <CircleCheck size={20} className="mt-0.5 shrink-0 text-good" />
        <span>
          {t("drafts.pushDone", { account })}
          {sandbox && (
            <span className="mt-0.5 block text-sm font-normal text-muted">
              {t("drafts.pushDoneSandbox")}
            </span>
          )}
        </span>
      </p>
      {reconciled && <Notice tone="warn">{t("drafts.reconciled")}</Notice>}
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-5 gap-y-2 text-sm">
        <Fact label="media_id">
          <span className="flex min-w-0 items-center gap-1">
            <code className="font-mono text-[13px] break-all">{media_id}</code>
            <CopyButton text={media_id} />
          </span>
          {sandbox && <Badge tone="accent">{t("drafts.sandbox")}</Badge>}
        </Fact>
        {destination && (
          <Fact label={t("drafts.goesTo")}>
            <DestinationWords destination={destination} />
          </Fact>
        )}
        <Fact label={t("drafts.uploads")}>
          {t("drafts.uploadsOf", {
            count: receipt.uploaded_files,
            size: size(receipt.uploaded_bytes),
            reused: receipt.reused_files,
          })}
        </Fact>
        {cost !== null && (
          <Fact label={t("drafts.modelCost")}>
            <Money amount={cost} />
          </Fact>
        )}
        {rids.length > 0 && (
          <Fact label={t("drafts.requestIds")}>
            <Code>{rids.join(" ")}</Code>
          </Fact>
        )}
      </dl>
    </div>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{label}</dt>
      <dd className="flex min-w-0 flex-wrap items-center gap-2">{children}</dd>
    </>
  );
}

function Failure({ error }: { readonly error: unknown }) {
  const { t } = useSpeech();
  const wordsOf = useErrorWords();
  const problemWords = useProblemWords();
  const code = error instanceof ApiError ? error.code : "";
  const isUnknown = isInDoubt(error);
  const problems = problemsOf(error).filter(({ severity }) => severity === "error");
  const isOfMany = problems.some(({ article }) => article > 0);
  const title = isUnknown
    ? t("drafts.pushUnknown")
    : code === "platform_refused"
      ? t("drafts.pushRefused")
      : t("drafts.pushStopped");
  return (
    <div role="alert" className="flex flex-col gap-3 text-sm">
      <p className="flex items-start gap-2.5 text-base font-medium">
        <CircleAlert
          size={20}
          className={cx("mt-0.5 shrink-0", isUnknown ? "text-warn" : "text-bad")}
        />
        {title}
      </p>
      {isUnknown && <p>{t("drafts.pushUnknownHint")}</p>}
      {code === "platform_refused" && error instanceof ApiError && (
        <RefusalWords refusal={error.facts as unknown as PlatformRefusal} />
      )}
      {problems.length > 0 && (
        <ul className="flex list-disc flex-col gap-1 pl-5">
          {problems.map((problem) => (
            <li key={`${problem.article} ${problem.field} ${problem.code} ${problem.picture}`}>
              {isOfMany && (
                <span className="mr-2 text-muted">
                  {t("drafts.articleNumber", { number: problem.article + 1 })}
                </span>
              )}
              {problemWords(problem)}
            </li>
          ))}
        </ul>
      )}
      {problems.length === 0 && !code.startsWith("platform_") && <p>{wordsOf(error)}</p>}
    </div>
  );
}

/** What to do first, then the platform's own words for whoever needs them. */
export function RefusalWords({ refusal }: { readonly refusal: PlatformRefusal }) {
  const { t } = useSpeech();
  const wordsOf = useRefusalWords();
  const { errcode, errmsg, ip, picture, replaced } = refusal;
  return (
    <div className="flex flex-col gap-2">
      {picture && <p className="break-words">{t("drafts.refusedPicture", { picture })}</p>}
      {ip ? (
        <p className="flex flex-wrap items-center gap-x-2">
          {t("drafts.allowIp")} <Code>{ip}</Code>
        </p>
      ) : (
        <p>{wordsOf(refusal)}</p>
      )}
      {replaced !== undefined && (
        <p>{t("drafts.refusedAfter", { count: replaced, number: replaced + 1 })}</p>
      )}
      <p className="rounded-md bg-sunken px-3 py-2 font-mono text-xs break-words">
        {errcode} {errmsg}
      </p>
    </div>
  );
}
