import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { createContext, type ReactNode, use, useEffect, useRef, useState } from "react";
import { useSpeech } from "../../i18n/language.tsx";
import { Button, type ButtonProps, IconButton } from "../button.tsx";
import { cx } from "../cx.ts";
import { useInertPage } from "../inert-page.ts";
import { InModalContext, TYPED_FIRST } from "./in-modal.ts";

const BACKDROP =
  "backdrop fixed inset-0 z-40 bg-shade transition-opacity duration-150 " +
  "data-ending-style:opacity-0 data-starting-style:opacity-0";

/** For which a dialog is held by what is under way. Nobody waits for an answer that never comes. */
const HELD_MS = 20_000;

/** Whether the dialog cannot be left: its own buttons say so. */
const HeldContext = createContext(false);

function useHeld(busy: boolean): boolean {
  const [held, setHeld] = useState(true);
  useEffect(() => {
    if (!busy) return;
    const timer = setTimeout(() => setHeld(false), HELD_MS);
    return () => {
      clearTimeout(timer);
      setHeld(true);
    };
  }, [busy]);
  return busy && held;
}

/** What stands above the page until it is left. It is open as long as it is drawn. */
export interface Closes {
  readonly onClose: () => void;
}

interface ModalProps extends Closes {
  /** What Escape does, where it does not close. */
  readonly onEscape?: (() => void) | undefined;
  readonly stays?: boolean | undefined;
  readonly shownOnce?: boolean | undefined;
  readonly className: string;
  readonly children: ReactNode;
}

export function Modal(props: ModalProps) {
  const { onClose, onEscape, stays = false, shownOnce = false, className, children } = props;
  useInertPage();
  const popup = useRef<HTMLDivElement>(null);
  const first = () => popup.current?.querySelector<HTMLElement>(`[${TYPED_FIRST}]`) ?? true;
  const onOpenChange = (next: boolean, { reason }: Base.Root.ChangeEventDetails) => {
    if (next) return;
    const isEscape = reason === "escape-key";
    if (isEscape && onEscape) onEscape();
    else if (!(isEscape && shownOnce)) onClose();
  };
  return (
    <Base.Root open onOpenChange={onOpenChange} disablePointerDismissal={stays || shownOnce}>
      <Base.Portal>
        <Base.Backdrop className={BACKDROP} />
        <Base.Popup ref={popup} className={className} initialFocus={first}>
          <InModalContext value={true}>{children}</InModalContext>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

interface DrawerProps extends Closes {
  readonly title: string;
  readonly description?: ReactNode;
  /** Buttons, the main one last. */
  readonly footer?: ReactNode;
  readonly children?: ReactNode;
}

export interface DialogProps extends DrawerProps, Pick<ModalProps, "onEscape"> {
  /** Without it a click beside the dialog closes it; set it where something would be lost. */
  readonly stays?: boolean;
  /** What it shows is in no other place: a key that is pressed by habit does not close it either, but its buttons. */
  readonly shownOnce?: boolean;
  readonly wide?: boolean;
  /**
   * What was decided is under way: it is not undone by leaving, and its answer, which may be a secret, comes into
   * this dialog. So it stays, for as long as an answer may take.
   */
  readonly busy?: boolean | undefined;
}

/** Centred; on a phone a sheet that rises from below. */
export function Dialog(props: DialogProps) {
  const { onClose, onEscape, stays, shownOnce, wide, busy, children, ...head } = props;
  const held = useHeld(busy ?? false);
  return (
    <Modal
      onClose={() => !held && onClose()}
      {...{ onEscape, stays, shownOnce }}
      className={cx(
        "fixed inset-x-0 bottom-0 z-40 flex max-h-[92dvh] flex-col rounded-t-xl border border-line",
        "bg-surface shadow-high outline-none transition-[translate,opacity] duration-150",
        "data-ending-style:translate-y-4 data-ending-style:opacity-0",
        "data-starting-style:translate-y-4 data-starting-style:opacity-0",
        "sm:inset-auto sm:top-1/2 sm:left-1/2 sm:max-h-[86dvh] sm:-translate-x-1/2 sm:-translate-y-1/2",
        "sm:rounded-xl",
        wide ? "sm:w-[min(44rem,94vw)]" : "sm:w-[min(30rem,94vw)]",
      )}
    >
      <HeldContext value={held}>
        <Panel {...head}>
          <div className="min-h-0 flex-1 overflow-y-auto px-5 pb-5">{children}</div>
        </Panel>
      </HeldContext>
    </Modal>
  );
}

/** From the right, for the details of a row; on a phone it takes the whole screen. */
export function Drawer({ onClose, children, ...head }: DrawerProps) {
  return (
    <Modal
      onClose={onClose}
      className={cx(
        "fixed inset-y-0 right-0 z-40 flex w-full flex-col border-l border-line bg-surface sm:w-[34rem]",
        "shadow-high outline-none transition-[translate,opacity] duration-200",
        "data-ending-style:translate-x-6 data-ending-style:opacity-0",
        "data-starting-style:translate-x-6 data-starting-style:opacity-0",
      )}
    >
      <Panel {...head}>
        <div className="min-h-0 flex-1 overflow-y-auto px-5 pb-6">{children}</div>
      </Panel>
    </Modal>
  );
}

/** The head and the foot of it, which stay while what is between them scrolls. */
function Panel({ title, description, footer, children }: Omit<DrawerProps, "onClose">) {
  const { t } = useSpeech();
  const held = use(HeldContext);
  return (
    <>
      <header className="flex items-start justify-between gap-4 px-5 pt-4 pb-3">
        <div className="min-w-0">
          <Base.Title className="text-base font-semibold break-words">{title}</Base.Title>
          {description && (
            <Base.Description className="mt-0.5 text-sm text-muted">{description}</Base.Description>
          )}
        </div>
        <Base.Close
          disabled={held}
          render={
            <IconButton label={t("words.close")} className="-mt-1 -mr-2">
              <X size={17} />
            </IconButton>
          }
        />
      </header>
      {children}
      {footer && (
        <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">
          {footer}
        </footer>
      )}
    </>
  );
}

interface DecisionProps extends Closes, ButtonProps {
  /** The word of the button that leaves it, where it does not cancel. */
  readonly back?: string | undefined;
}

/** The buttons of a question: the one that leaves it, and the main one, which all else belongs to. */
export function Decision({ onClose, back, ...main }: DecisionProps) {
  const { t } = useSpeech();
  const held = use(HeldContext);
  return (
    <>
      <Button disabled={held} onClick={onClose}>
        {back ?? t("words.cancel")}
      </Button>
      <Button kind="primary" {...main} />
    </>
  );
}
