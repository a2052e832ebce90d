import { Check, CloudOff, Send, Sparkles } from "lucide-react";
import type { Draft } from "../../../../src/drafts/contract/draft.ts";
import type { Preview } from "../../../../src/drafts/contract/preview.ts";
import type { PublicAccount } from "../../../../src/drafts/contract/public-account.ts";
import { useSpeech } from "../../../i18n/language.tsx";
import { useFilters } from "../../../lib/filters.ts";
import { TextLink } from "../../../lib/link.tsx";
import { useSignedOut } from "../../../lib/session.tsx";
import { Badge, Notice } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { cx } from "../../../ui/cx.ts";
import { PageHeader } from "../../../ui/page-header.tsx";
import { useAction } from "../../../ui/toasts/toast.tsx";
import { DraftState } from "../draft-status.tsx";
import type { Pushing } from "../push/pushing.ts";
import type { WorkingCopy } from "./working-copy.ts";

type View = "write" | "preview";

interface EditorHeaderProps {
  readonly draft: Draft;
  readonly account: PublicAccount | undefined;
  readonly copy: WorkingCopy;
  readonly preview: Preview | undefined;
  readonly pushing: Pushing;
  readonly canEdit: boolean;
  readonly view: View;
  readonly onView: (view: View) => void;
}

export function EditorHeader(props: EditorHeaderProps) {
  const { draft, account, copy, view, onView, canEdit } = props;
  const { t } = useSpeech();
  const { set } = useFilters(["dialog"]);
  const title = copy.articles[0]?.title || t("drafts.untitled");
  const actions = canEdit && (
    <>
      <Button onClick={() => set({ dialog: "write" })}>
        <Sparkles size={15} />
        {t("drafts.write")}
      </Button>
      <PushButton {...props} />
    </>
  );
  return (
    <>
      <PageHeader
        back={<TextLink to="/drafts">{t("drafts.title")}</TextLink>}
        title={title}
        description={
          <span className="flex min-h-6 flex-wrap items-center gap-x-3 gap-y-1">
            <DraftState draft={draft} />
            {account?.kind === "built-in" && <Badge tone="accent">{t("drafts.sandbox")}</Badge>}
            <SaveWords copy={copy} version={draft.version} />
            <ErrorCount preview={props.preview} />
          </span>
        }
        actions={actions}
      />
      {copy.state === "conflict" && <Conflict copy={copy} />}
      <ViewSwitch view={view} onView={onView} />
    </>
  );
}

function SaveWords({ copy, version }: { readonly copy: WorkingCopy; readonly version: number }) {
  const { t } = useSpeech();
  const { state } = copy;
  const isBad = state === "failed" || state === "conflict";
  const words = useSignedOut() && state === "failed" ? "signedOut" : state;
  return (
    <span
      role="status"
      className={cx("flex items-center gap-1.5 text-[13px]", isBad ? "text-bad" : "text-muted")}
    >
      {state === "saved" && <Check size={14} className="text-good" />}
      {isBad && <CloudOff size={14} />}
      {t(`drafts.save_${words}`)}
      {state === "saved" && <> · {t("drafts.version", { version })}</>}
    </span>
  );
}

/** The checks stand further down; what must be fixed is told where pushing is. */
function ErrorCount({ preview }: Pick<EditorHeaderProps, "preview">) {
  const { t } = useSpeech();
  const count = errorsOf(preview);
  if (count === 0) return null;
  return (
    <a
      href="#checks"
      className="text-[13px] font-medium text-bad underline-offset-2 hover:underline"
    >
      {t("drafts.checksErrors", { count })}
    </a>
  );
}

function errorsOf(preview: Preview | undefined): number {
  return preview?.problems.filter(({ severity }) => severity === "error").length ?? 0;
}

function Conflict({ copy }: { readonly copy: WorkingCopy }) {
  const { t } = useSpeech();
  const choose = useAction((work: () => Promise<void>) => work());
  return (
    <div role="alert" className="mb-5">
      <Notice tone="warn">
        <p>{t("drafts.conflict")}</p>
        <div className="mt-2 flex flex-wrap gap-2">
          <Button size="small" busy={choose.busy} onClick={() => choose.run(copy.takeTheirs)}>
            {t("drafts.conflictTheirs")}
          </Button>
          <Button size="small" busy={choose.busy} onClick={() => choose.run(copy.keepMine)}>
            {t("drafts.conflictMine")}
          </Button>
        </div>
      </Notice>
    </div>
  );
}

const LABELS = {
  add: "drafts.push",
  update: "drafts.pushUpdate",
  again: "drafts.pushAgain",
  find: "drafts.pushFind",
} as const;

function pushKind({ status }: Draft): keyof typeof LABELS {
  if (status === "in_box") return "update";
  if (status === "removed") return "again";
  return status === "unknown" || status === "pushing" ? "find" : "add";
}

/** Says what pushing would do now; where there is nothing to do, why. */
function PushButton({ draft, copy, preview, pushing }: EditorHeaderProps) {
  const { t } = useSpeech();
  const { status, version, pushed_version } = draft;
  const isThere = status === "in_box" && version === pushed_version && copy.state === "saved";
  const isOut = status === "published" || status === "publishing";
  const kind = pushKind(draft);
  const blocked = errorsOf(preview) > 0 && kind !== "find";
  const why = isThere ? t("drafts.pushInBox") : blocked ? t("drafts.pushErrors") : undefined;
  return (
    <Button
      kind="primary"
      title={why}
      busy={pushing.isRunning}
      disabled={isThere || isOut || blocked || copy.state === "conflict"}
      onClick={() => pushing.start(kind === "again")}
    >
      <Send size={15} />
      {t(LABELS[kind])}
    </Button>
  );
}

const VIEWS = { write: "drafts.viewWrite", preview: "drafts.viewPreview" } as const;

/** Where there is room for one column only. */
function ViewSwitch({ view, onView }: Pick<EditorHeaderProps, "view" | "onView">) {
  const { t } = useSpeech();
  return (
    <fieldset className="mb-4 flex gap-1 rounded-lg bg-sunken p-1 min-[70rem]:hidden">
      <legend className="sr-only">{t("drafts.view")}</legend>
      {(["write", "preview"] as const).map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={view === name}
          onClick={() => onView(name)}
          className={cx(
            "h-9 flex-1 rounded-md border text-sm font-medium",
            view === name
              ? "border-line bg-surface text-text shadow-low"
              : "border-transparent text-muted hover:bg-hover",
          )}
        >
          {t(VIEWS[name])}
        </button>
      ))}
    </fieldset>
  );
}
