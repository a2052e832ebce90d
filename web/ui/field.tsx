import { Field as Base } from "@base-ui/react/field";
import { type ComponentProps, type ReactNode, use } from "react";
import { useSpeech } from "../i18n/language.tsx";
import { cx } from "./cx.ts";
import { InModalContext, TYPED_FIRST } from "./dialogs/in-modal.ts";

export interface FieldProps {
  readonly label: string;
  /** One sentence below the control. */
  readonly hint?: ReactNode;
  /** What is wrong with the value; usually `form.errors.<param>`. */
  readonly error?: string | undefined;
  /** It may be left empty, which is said beside its label. */
  readonly optional?: boolean | undefined;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** A label, one control, and the words that belong to it, tied together for screen readers. */
export function Field({ label, hint, error, optional, className, children }: FieldProps) {
  const { t } = useSpeech();
  return (
    <Base.Root invalid={error !== undefined} className={cx("flex flex-col gap-1.5", className)}>
      <Base.Label className="flex items-baseline justify-between gap-2 text-[13px] font-medium">
        {label}
        {optional && <span className="font-normal text-muted">{t("words.optional")}</span>}
      </Base.Label>
      {children}
      {error !== undefined && (
        <Base.Error match className="text-[13px] text-bad">
          {error}
        </Base.Error>
      )}
      {hint && error === undefined && (
        <Base.Description className="text-[13px] text-muted">{hint}</Base.Description>
      )}
    </Base.Root>
  );
}

/** The look that inputs and selects share. */
export const CONTROL =
  "h-9 w-full min-w-0 rounded-md border border-line-strong bg-surface px-3 text-sm text-text " +
  "transition-colors hover:border-muted disabled:opacity-55 " +
  "focus-visible:border-accent focus-visible:outline-offset-0 data-invalid:border-bad";

export interface InputProps extends Omit<ComponentProps<typeof Base.Control>, "className"> {
  readonly className?: string;
  /** An amount in USD. */
  readonly money?: boolean;
  readonly mono?: boolean;
}

/** A modal first notes who had the focus, so that it can give it back, and only then gives it to a field. */
function useFirst(autoFocus: boolean | undefined): object | undefined {
  const inModal = use(InModalContext);
  if (!autoFocus) return undefined;
  return inModal ? { [TYPED_FIRST]: "" } : { autoFocus };
}

export function Input({ className, money, mono, autoFocus, ...rest }: InputProps) {
  const first = useFirst(autoFocus);
  const control = (
    <Base.Control
      {...(money && { inputMode: "decimal" })}
      {...rest}
      {...first}
      className={cx(CONTROL, mono && "font-mono text-[13px]", money && "pl-7", className)}
    />
  );
  if (!money) return control;
  return (
    <span className="relative block">
      <span className="pointer-events-none absolute inset-y-0 left-3 flex items-center text-sm text-muted">
        $
      </span>
      {control}
    </span>
  );
}

export function TextArea({
  className,
  mono,
  ...rest
}: ComponentProps<"textarea"> & { mono?: boolean }) {
  return (
    <Base.Control
      render={<textarea {...rest} />}
      className={cx(CONTROL, "h-auto py-2", mono && "font-mono text-[13px]", className)}
    />
  );
}
