import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog as Base } from "@base-ui/react/dialog";
import { useNavigate } from "@tanstack/react-router";
import { CornerDownLeft, Search } from "lucide-react";
import { useSpeech } from "../i18n/language.tsx";
import { useSession } from "../lib/session.tsx";
import { cx } from "../ui/cx.ts";
import { useInertPage } from "../ui/inert-page.ts";
import { ITEM } from "../ui/menu.tsx";
import { ACCOUNT_PAGES, OPERATOR_PAGES } from "./pages.ts";

interface Command {
  readonly value: string;
  readonly label: string;
  readonly to: string;
}

function useCommands(): Command[] {
  const { t } = useSpeech();
  const { me, may } = useSession();
  const pages = me.operator ? [...ACCOUNT_PAGES, ...OPERATOR_PAGES] : ACCOUNT_PAGES;
  const commands = pages.map(({ path, label }) => ({ value: path, label: t(label), to: path }));
  if (may("member")) {
    commands.push({ value: "new-key", label: t("keys.create"), to: "/keys?new=1" });
  }
  return commands;
}

export function CommandPalette(props: { readonly open: boolean; readonly onClose: () => void }) {
  const { open, onClose } = props;
  useInertPage(open);
  const { t } = useSpeech();
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="backdrop fixed inset-0 z-50 bg-shade" />
        <Base.Popup
          aria-label={t("nav.commands")}
          className="fixed top-[12dvh] left-1/2 z-50 w-[min(34rem,94vw)] -translate-x-1/2 overflow-hidden rounded-xl border border-line bg-surface shadow-high outline-none"
        >
          <CommandList onClose={onClose} />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

function CommandList({ onClose }: { readonly onClose: () => void }) {
  const { t } = useSpeech();
  const navigate = useNavigate();
  const commands = useCommands();
  const run = ({ to }: Command) => {
    onClose();
    const [path = "/", query] = to.split("?");
    const search = Object.fromEntries(new URLSearchParams(query)) as never;
    void navigate({ to: path, search });
  };
  return (
    <Autocomplete.Root open inline items={commands} autoHighlight="always" keepHighlight>
      <div className="flex items-center gap-2.5 border-b border-line px-4">
        <Search size={16} className="text-muted" />
        <Autocomplete.Input
          aria-label={t("nav.commands")}
          placeholder={t("nav.commandsHint")}
          className="h-12 w-full bg-transparent text-[15px] outline-none"
        />
      </div>
      <Autocomplete.Empty className="px-4 text-sm text-muted not-empty:py-6">
        {t("nav.commandsEmpty")}
      </Autocomplete.Empty>
      <Autocomplete.List className="max-h-80 overflow-y-auto p-1.5 empty:p-0">
        {(command: Command) => (
          <Autocomplete.Item
            key={command.value}
            value={command}
            onClick={() => run(command)}
            className={cx(ITEM, "group h-9 px-2.5 text-sm")}
          >
            <span className="flex-1">{command.label}</span>
            <CornerDownLeft
              size={14}
              aria-hidden="true"
              className="text-muted opacity-0 group-data-highlighted:opacity-100"
            />
          </Autocomplete.Item>
        )}
      </Autocomplete.List>
    </Autocomplete.Root>
  );
}
