import { Menu as Base } from "@base-ui/react/menu";
import { Check } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { useSpeech } from "../i18n/language.tsx";
import { cx } from "./cx.ts";

/** The look of everything that opens above the page. */
export const POPUP =
  "origin-(--transform-origin) rounded-lg border border-line bg-surface text-sm text-text shadow-high " +
  "outline-none transition-[scale,opacity] duration-100 data-ending-style:scale-98 " +
  "data-ending-style:opacity-0 data-starting-style:scale-98 data-starting-style:opacity-0";

export const ITEM =
  "flex min-h-8 cursor-default items-center gap-2 rounded-md px-2 py-1 outline-none select-none " +
  "data-highlighted:bg-hover data-disabled:opacity-55";

interface MenuProps {
  /** The button that opens it. */
  readonly trigger: ReactElement;
  readonly align?: "start" | "end";
  readonly side?: "top" | "bottom";
  /** Open from the start: it was asked for before its code was there. */
  readonly opens?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
}

export function Menu(props: MenuProps) {
  const { trigger, align = "end", side = "bottom", opens = false, className, children } = props;
  const { t } = useSpeech();
  return (
    <Base.Root defaultOpen={opens}>
      <Base.Trigger render={trigger} />
      <Base.Portal render={<section aria-label={t("words.choices")} />}>
        <Base.Positioner className="z-50 outline-none" sideOffset={6} align={align} side={side}>
          <Base.Popup className={cx(POPUP, "min-w-44 p-1", className)}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

interface MenuItemProps {
  readonly icon?: ReactNode;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  readonly onSelect?: () => void;
  /** A link instead of an action. */
  readonly render?: ReactElement;
  readonly children: ReactNode;
}

export function MenuItem({ icon, danger, disabled, onSelect, render, children }: MenuItemProps) {
  return (
    <Base.Item
      className={cx(ITEM, danger && "text-bad")}
      disabled={disabled ?? false}
      onClick={onSelect}
      {...(render && { render })}
    >
      {icon && <span className="text-muted">{icon}</span>}
      {children}
    </Base.Item>
  );
}

interface MenuChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
}

/** One of several, such as the theme, chosen inside a menu that stays open. */
export function MenuChoice<Value extends string>(props: MenuChoiceProps<Value>) {
  const { label, value, choices, onChange } = props;
  return (
    <Base.Group>
      <Base.GroupLabel className="px-2 pt-2 pb-1 text-xs font-medium text-muted">
        {label}
      </Base.GroupLabel>
      <Base.RadioGroup value={value} onValueChange={onChange}>
        {choices.map((choice) => (
          <Base.RadioItem key={choice.value} value={choice.value} className={ITEM}>
            <span className="flex w-4 shrink-0">
              <Base.RadioItemIndicator>
                <Check size={14} />
              </Base.RadioItemIndicator>
            </span>
            {choice.label}
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
    </Base.Group>
  );
}

export function MenuSeparator() {
  return <Base.Separator className="my-1 h-px bg-line" />;
}
