import { Tabs as Base } from "@base-ui/react/tabs";
import type { ReactNode } from "react";

interface Tab {
  readonly value: string;
  readonly label: string;
  readonly content: ReactNode;
}

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly Tab[];
  /** Given together with `onChange` where the choice lives in the URL. */
  readonly value?: string;
  readonly onChange?: (value: string) => void;
}

export function Tabs({ label, tabs, value, onChange }: TabsProps) {
  const first = tabs[0]?.value ?? "";
  return (
    <Base.Root
      {...(value === undefined ? { defaultValue: first } : { value })}
      onValueChange={(next) => onChange?.(String(next))}
    >
      <Base.List
        aria-label={label}
        className="relative mb-4 flex gap-1 overflow-x-auto border-b border-line"
      >
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.value}
            value={tab.value}
            className={
              "h-9 shrink-0 rounded-t-md px-3 text-sm font-medium text-muted hover:text-text " +
              "-outline-offset-2 data-active:text-text"
            }
          >
            {tab.label}
          </Base.Tab>
        ))}
        <Base.Indicator
          className={
            "absolute bottom-0 left-0 h-0.5 w-(--active-tab-width) translate-x-(--active-tab-left) " +
            "bg-accent transition-[translate,width] duration-150"
          }
        />
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.value} value={tab.value} className="outline-offset-4">
          {tab.content}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
