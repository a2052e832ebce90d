import { ChevronRight, KeyRound } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { CreatedKey } from "../../../src/console/contract/keys.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { useSession } from "../../lib/session.tsx";
import { Notice } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Code, CopyButton } from "../../ui/code.tsx";
import { Field, Input } from "../../ui/field.tsx";
import { useAction } from "../../ui/toasts/toast.tsx";
import { ClientTabs } from "./client-tabs.tsx";

interface QuickstartProps {
  /** Nothing was sent yet: the steps stand open on the page. */
  readonly dayOne: boolean;
  readonly hasKey: boolean;
}

/** From nothing to the first answer: an address, a key, and a line to paste. */
export function Quickstart({ dayOne, hasKey }: QuickstartProps) {
  const { t } = useSpeech();
  const { me } = useSession();
  const address = me.public_url.replace(/\/+$/, "");
  const [created, setCreated] = useState<CreatedKey>();
  const [pasted, setPasted] = useState("");
  const secret = created?.secret ?? (pasted.trim() || undefined);
  const steps = (
    <ol className="flex flex-col gap-5">
      <Step place={1} title={t("overview.baseUrl")}>
        <Code>{`${address}/v1`}</Code>
        <p className="text-[13px] text-muted">{t("overview.baseUrlHint")}</p>
      </Step>
      <Step place={2} title={t("overview.key")}>
        <KeyStep
          hasKey={hasKey}
          created={created}
          onCreated={setCreated}
          pasted={pasted}
          onPaste={setPasted}
        />
      </Step>
      <Step place={3} title={t("overview.send")}>
        <ClientTabs address={address} secret={secret} />
      </Step>
    </ol>
  );
  // A secret that is shown only once must not fold away when the first request arrives.
  if (dayOne || created) return <Card title={t("overview.startTitle")}>{steps}</Card>;
  return (
    <Card flush>
      <details className="group">
        <summary className="flex h-12 cursor-pointer list-none items-center gap-2 rounded-xl px-5 text-sm font-semibold hover:bg-sunken">
          <ChevronRight size={16} className="text-muted group-open:rotate-90" />
          <h2>{t("overview.connectTitle")}</h2>
        </summary>
        <div className="px-5 pt-1 pb-5">{steps}</div>
      </details>
    </Card>
  );
}

interface StepProps {
  readonly place: number;
  readonly title: string;
  readonly children: ReactNode;
}

function Step({ place, title, children }: StepProps) {
  return (
    <li className="grid grid-cols-[1.5rem_minmax(0,1fr)] gap-x-3">
      <span
        aria-hidden="true"
        className="flex size-6 items-center justify-center rounded-full bg-accent-soft text-xs font-semibold text-accent"
      >
        {place}
      </span>
      <div className="flex min-w-0 flex-col items-start gap-1.5">
        <h3 className="leading-6 font-medium">{title}</h3>
        {children}
      </div>
    </li>
  );
}

interface KeyStepProps {
  readonly hasKey: boolean;
  readonly created: CreatedKey | undefined;
  readonly onCreated: (created: CreatedKey) => void;
  readonly pasted: string;
  readonly onPaste: (secret: string) => void;
}

function KeyStep({ hasKey, created, onCreated, pasted, onPaste }: KeyStepProps) {
  const { t } = useSpeech();
  const { path, may } = useSession();
  const create = useAction(
    () => api.post<CreatedKey>(path("/keys"), { name: t("overview.firstKeyName") }),
    { refresh: [path("/keys"), path("/overview")], onDone: onCreated },
  );
  if (created) return <Secret secret={created.secret} />;
  const mayCreate = may("member");
  return (
    <>
      <p className="text-[13px] text-muted">
        {hasKey ? t("overview.pasteHint") : t("overview.keyHint")}
      </p>
      <div className="flex w-full flex-wrap items-end gap-2">
        {hasKey && (
          <Field label={t("overview.pasteLabel")} className="min-w-0 flex-1 basis-60 sm:max-w-96">
            <Input
              mono
              autoComplete="off"
              spellCheck={false}
              placeholder="sk-fg-…"
              value={pasted}
              onValueChange={onPaste}
            />
          </Field>
        )}
        {mayCreate && (
          <Button
            kind={hasKey ? "plain" : "primary"}
            busy={create.busy}
            onClick={() => create.run()}
          >
            <KeyRound size={15} />
            {hasKey ? t("overview.createAnother") : t("overview.createKey")}
          </Button>
        )}
      </div>
      {!mayCreate && !hasKey && <Notice>{t("overview.askForKey")}</Notice>}
    </>
  );
}

function Secret({ secret }: { readonly secret: string }) {
  const { t } = useSpeech();
  return (
    <>
      <div className="flex w-full flex-wrap items-center gap-2">
        <output
          aria-label={t("keys.secretLabel")}
          className="min-w-0 rounded-lg border border-line bg-sunken px-3 py-2 font-mono text-[13px] break-all select-all"
        >
          {secret}
        </output>
        <CopyButton wordy text={secret} label={t("keys.copySecret")} />
      </div>
      <p className="text-[13px] text-muted">{t("keys.secretHint")}</p>
    </>
  );
}
