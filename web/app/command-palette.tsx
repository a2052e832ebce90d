import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog as Base } from "@base-ui/react/dialog";
import { useNavigate } from "@tanstack/react-router";
import { CornerDownLeft, Search } from "lucide-react";
import { useEffect, useState } from "react";
import type { Hit } from "../../src/console/contract/search.ts";
import { useSpeech } from "../i18n/language.tsx";
import { useSession } from "../lib/session.tsx";
import { cx } from "../ui/cx.ts";
import { useInertPage } from "../ui/inert-page.ts";
import { ITEM } from "../ui/menu.tsx";
import { ACCOUNT_PAGES, OPERATOR_PAGES } from "./pages.ts";
import { addressOf, HIT_KINDS } from "./search-hits.ts";
import { useHits } from "./use-hits.ts";

/** The server is asked when the typing rests. */
const TYPING_MS = 150;

interface Command {
  readonly value: string;
  readonly label: string;
  /** Tells it from others of its name. */
  readonly hint?: string;
  readonly to: string;
}

interface CommandGroup {
  readonly value: string;
  readonly items: readonly Command[];
}

function usePages(typed: string): readonly Command[] {
  const { t } = useSpeech();
  const { me, may } = useSession();
  const pages = me.operator ? [...ACCOUNT_PAGES, ...OPERATOR_PAGES] : ACCOUNT_PAGES;
  const commands = pages.map(({ path, label }) => ({ value: path, label: t(label), to: path }));
  if (may("member")) {
    commands.push({ value: "new-key", label: t("keys.create"), to: "/keys?new=1" });
  }
  const wanted = typed.toLowerCase();
  return commands.filter(({ label }) => label.toLowerCase().includes(wanted));
}

/** The text as it is once nothing was typed for a moment. */
function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}

function useGroups(typed: string) {
  const { t } = useSpeech();
  const { account } = useSession();
  const pages = usePages(typed);
  const { hits, busy, failed } = useHits(useRested(typed));
  const commandOf = (hit: Hit): Command => {
    const elsewhere = hit.account_id !== account.id && hit.kind !== "account";
    const hint = [hit.hint, elsewhere ? hit.account_name : null].filter(Boolean).join(" · ");
    return {
      value: `${hit.kind} ${hit.id} ${hit.account_id}`,
      label: hit.name || hit.id,
      ...(hint !== "" && { hint }),
      to: addressOf(hit, account.id),
    };
  };
  const found = HIT_KINDS.map((kind) => ({
    value: t(`nav.found_${kind}`),
    items: hits.filter((hit) => hit.kind === kind).map(commandOf),
  }));
  const groups = [{ value: t("nav.foundPages"), items: pages }, ...found];
  return { groups: groups.filter(({ items }) => items.length > 0), busy, failed };
}

export function CommandPalette({ onClose }: { readonly onClose: () => void }) {
  useInertPage();
  const { t } = useSpeech();
  return (
    <Base.Root open onOpenChange={(next) => !next && onClose()}>
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
  const [typed, setTyped] = useState("");
  const { groups, busy, failed } = useGroups(typed.trim());
  const run = ({ to }: Command) => {
    onClose();
    const [path = "/", query] = to.split("?");
    const search = Object.fromEntries(new URLSearchParams(query)) as never;
    void navigate({ to: path, search });
  };
  return (
    <Autocomplete.Root
      open
      inline
      items={groups}
      value={typed}
      onValueChange={setTyped}
      // What is there was found already, here or by the server.
      mode="none"
      autoHighlight="always"
      keepHighlight
    >
      <div className="flex items-center gap-2.5 border-b border-line px-4">
        <Search size={16} className="text-muted" />
        <Autocomplete.Input
          // With the field itself, and not a moment after: whoever asked for it is typing already.
          autoFocus
          aria-label={t("nav.commands")}
          placeholder={t("nav.commandsHint")}
          className="h-12 w-full bg-transparent text-[15px] outline-none"
        />
      </div>
      <Autocomplete.Status className="px-4 text-[13px] text-muted not-empty:pt-2.5">
        {failed ? t("nav.searchFailed") : busy ? t("nav.searching") : null}
      </Autocomplete.Status>
      <Autocomplete.Empty className="px-4 text-sm text-muted not-empty:py-6">
        {busy ? null : t("nav.commandsEmpty")}
      </Autocomplete.Empty>
      <Autocomplete.List className="max-h-[min(26rem,60dvh)] overflow-y-auto p-1.5 empty:p-0">
        {(group: CommandGroup) => (
          <Autocomplete.Group key={group.value} items={group.items} className="not-first:mt-1.5">
            <Autocomplete.GroupLabel className="px-2.5 py-1 text-xs font-medium text-muted">
              {group.value}
            </Autocomplete.GroupLabel>
            <Autocomplete.Collection>
              {(command: Command) => (
                <CommandItem key={command.value} command={command} onRun={() => run(command)} />
              )}
            </Autocomplete.Collection>
          </Autocomplete.Group>
        )}
      </Autocomplete.List>
    </Autocomplete.Root>
  );
}

interface CommandItemProps {
  readonly command: Command;
  readonly onRun: () => void;
}

function CommandItem({ command, onRun }: CommandItemProps) {
  return (
    <Autocomplete.Item
      value={command}
      onClick={onRun}
      className={cx(ITEM, "group min-h-9 gap-3 px-2.5 text-sm")}
    >
      <span className="min-w-0 flex-1 truncate">{command.label}</span>
      {command.hint && (
        <span className="max-w-[45%] truncate text-[13px] text-muted">{command.hint}</span>
      )}
      <CornerDownLeft
        size={14}
        aria-hidden="true"
        className="shrink-0 text-muted opacity-0 group-data-highlighted:opacity-100"
      />
    </Autocomplete.Item>
  );
}
