import { useSpeech } from "../../i18n/language.tsx";
import { verifyTotp } from "../../lib/auth/auth.ts";
import { useForm } from "../../lib/form.ts";
import { Button } from "../../ui/button.tsx";
import { Code, CopyButton } from "../../ui/code.tsx";
import { type Closes, Dialog } from "../../ui/dialogs/dialog.tsx";
import { FormDialog } from "../../ui/dialogs/form-dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { pathOf, qrCode } from "./qr.ts";

/** Light places around a code, which cameras look for. */
const QUIET = 4;

function QrPicture({ text }: { readonly text: string }) {
  const { t } = useSpeech();
  const grid = qrCode(text);
  const width = grid.length + 2 * QUIET;
  return (
    <svg
      role="img"
      aria-label={t("settings.qrLabel")}
      viewBox={`${-QUIET} ${-QUIET} ${width} ${width}`}
      shapeRendering="crispEdges"
      className="size-48 shrink-0 rounded-lg border border-line"
    >
      {/* Dark on light in both themes: many apps cannot read it the other way round. */}
      <rect x={-QUIET} y={-QUIET} width={width} height={width} fill="#fff" />
      <path d={pathOf(grid)} fill="#000" />
    </svg>
  );
}

interface ScanDialogProps {
  readonly uri: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export function ScanDialog({ uri, onDone, onClose }: ScanDialogProps) {
  const { t } = useSpeech();
  const secret = new URL(uri).searchParams.get("secret") ?? "";
  const form = useForm({
    initial: { code: "" },
    check: ({ code }) =>
      /^\d{6}$/.test(code.replaceAll(/\s/g, "")) ? {} : { code: t("errors.badCode") },
    submit: async ({ code }) => {
      await verifyTotp(code.replaceAll(/\s/g, ""), false);
      onDone();
    },
  });
  return (
    <FormDialog
      form={form}
      stays
      onClose={onClose}
      title={t("settings.scanTitle")}
      description={t("settings.scanHint")}
      action={t("settings.verify")}
    >
      <div className="flex flex-col items-center gap-4 sm:flex-row sm:items-start">
        <QrPicture text={uri} />
        <div className="flex w-full min-w-0 flex-col gap-3 text-sm">
          <div>
            <p className="text-[13px] text-muted">{t("settings.secretLabel")}</p>
            <p className="mt-1 flex items-start gap-1 font-mono text-[13px]">
              <span className="break-all select-all">{secret}</span>
              <CopyButton text={secret} />
            </p>
          </div>
          <a href={uri} className="text-[13px] text-accent hover:underline">
            {t("settings.openApp")}
          </a>
        </div>
      </div>
      <TextField
        form={form}
        name="code"
        label={t("settings.code")}
        mono
        autoFocus
        inputMode="numeric"
        autoComplete="one-time-code"
      />
    </FormDialog>
  );
}

export function BackupDialog({ codes, onClose }: Closes & { readonly codes: readonly string[] }) {
  const { t } = useSpeech();
  const footer = (
    <>
      <CopyButton wordy text={codes.join("\n")} label={t("settings.backupCopy")} />
      <Button kind="primary" onClick={onClose}>
        {t("settings.backupSaved")}
      </Button>
    </>
  );
  return (
    <Dialog
      shownOnce
      onClose={onClose}
      title={t("settings.backupTitle")}
      description={t("settings.backupHint")}
      footer={footer}
    >
      <ul
        aria-label={t("settings.backupLabel")}
        className="grid grid-cols-2 gap-x-6 gap-y-1.5 rounded-lg border border-line bg-sunken p-4"
      >
        {codes.map((code) => (
          <li key={code}>
            <Code copy={false}>{code}</Code>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
