import {
  Bold,
  Code,
  Heading2,
  ImagePlus,
  Italic,
  Link2,
  List,
  type LucideIcon,
  Quote,
  X,
} from "lucide-react";
import { type ClipboardEvent, type DragEvent, type RefObject, useId, useRef } from "react";
import type { ArticleDoc } from "../../../../src/drafts/contract/article.ts";
import { useSpeech } from "../../../i18n/language.tsx";
import { IconButton } from "../../../ui/button.tsx";
import { usePictureInput, usePictureReader } from "../pictures/picture-input.tsx";
import { joinPictures, pictureName, splitPictures } from "./pasted-pictures.ts";
import { applyTool, TOOLS, type Tool } from "./text-tools.ts";

const ICONS: Readonly<Record<Tool, LucideIcon>> = {
  heading: Heading2,
  bold: Bold,
  italic: Italic,
  quote: Quote,
  list: List,
  code: Code,
  link: Link2,
};

interface TextFieldProps {
  readonly article: ArticleDoc;
  readonly onText: (text: string) => void;
  /** Where the caret is, as a share of the text in percent. */
  readonly onCaret: (percent: number) => void;
}

/** Puts text in place of what is marked, so that the browser's own undo knows of it. */
function insert(area: HTMLTextAreaElement, text: string): void {
  area.focus();
  if (!document.execCommand("insertText", false, text)) {
    area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
    area.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

function pick(area: HTMLTextAreaElement, tool: Tool): void {
  const { selectionStart: start, selectionEnd: end, value } = area;
  const { text, from, to } = applyTool(tool, value.slice(start, end));
  insert(area, text);
  area.setSelectionRange(start + from, start + to);
}

function filesOf(transfer: DataTransfer | null): readonly File[] {
  return [...(transfer?.files ?? [])].filter(({ type }) => type.startsWith("image/"));
}

/** Takes pictures into the text: a short name where the caret is, the picture at the end. */
function usePictures(props: TextFieldProps, area: RefObject<HTMLTextAreaElement | null>) {
  const read = usePictureReader();
  /** The text as it is when a picture has been read, which takes its time. */
  const latest = useRef(props);
  latest.current = props;
  const taken = useRef(Promise.resolve());
  const takeOne = async (file: File) => {
    const [data] = await read([file]);
    if (data === undefined || !area.current) return;
    const { pictures } = splitPictures(latest.current.article.source.text);
    const name = pictureName(pictures);
    insert(area.current, `\n![${file.name.replace(/\.\w+$/, "")}][${name}]\n`);
    const text = area.current.value;
    latest.current.onText(joinPictures({ text, pictures: [...pictures, { name, data }] }));
  };
  /** One after another, so that no two get the same name. */
  return (files: readonly File[]) => {
    for (const file of files) taken.current = taken.current.then(() => takeOne(file));
  };
}

export function TextField(props: TextFieldProps) {
  const { article, onText, onCaret } = props;
  const { t } = useSpeech();
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const take = usePictures(props, area);
  const { text, pictures } = splitPictures(article.source.text);
  const isMarkdown = article.type === "news" && article.source.format === "markdown";
  const placeholder =
    article.type === "newspic" ? "plain" : article.source.format === "html" ? "html" : "text";
  const onFiles = (event: DragEvent | ClipboardEvent, transfer: DataTransfer | null) => {
    const files = filesOf(transfer);
    if (!isMarkdown || files.length === 0) return;
    event.preventDefault();
    take(files);
  };
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-[13px] font-medium">
        {t("drafts.text")}
      </label>
      <div className="overflow-hidden rounded-md border border-line-strong bg-surface focus-within:border-accent">
        {isMarkdown && <Toolbar area={area} onFiles={take} />}
        <textarea
          id={id}
          ref={area}
          value={text}
          rows={article.type === "newspic" ? 8 : 20}
          spellCheck={false}
          placeholder={t(`drafts.${placeholder}Placeholder`)}
          onChange={({ currentTarget }) =>
            onText(joinPictures({ text: currentTarget.value, pictures }))
          }
          onSelect={({ currentTarget: { selectionStart, value } }) =>
            onCaret(Math.round((selectionStart / Math.max(1, value.length)) * 100))
          }
          onDrop={(event) => onFiles(event, event.dataTransfer)}
          onPaste={(event) => onFiles(event, event.clipboardData)}
          className="block w-full resize-y bg-surface px-3.5 py-3 font-mono text-[13px] leading-relaxed -outline-offset-2 disabled:opacity-55"
        />
        <PictureChips
          names={pictures.map(({ name }) => name)}
          onRemove={(name) =>
            onText(joinPictures({ text, pictures: pictures.filter((one) => one.name !== name) }))
          }
        />
      </div>
    </div>
  );
}

interface ToolbarProps {
  readonly area: RefObject<HTMLTextAreaElement | null>;
  readonly onFiles: (files: readonly File[]) => void;
}

function Toolbar({ area, onFiles }: ToolbarProps) {
  const { t } = useSpeech();
  const { input, choose } = usePictureInput(t("drafts.tool_picture"), onFiles);
  return (
    <div
      role="toolbar"
      aria-label={t("drafts.tools")}
      className="flex flex-wrap gap-px border-b border-line bg-sunken p-1"
    >
      {TOOLS.map((tool) => {
        const Icon = ICONS[tool];
        return (
          <IconButton
            key={tool}
            label={t(`drafts.tool_${tool}`)}
            onClick={() => area.current && pick(area.current, tool)}
          >
            <Icon size={15} />
          </IconButton>
        );
      })}
      <IconButton label={t("drafts.tool_picture")} onClick={choose}>
        <ImagePlus size={15} />
      </IconButton>
      {input}
    </div>
  );
}

interface ChipsProps {
  readonly names: readonly string[];
  readonly onRemove: (name: string) => void;
}

function PictureChips({ names, onRemove }: ChipsProps) {
  const { t } = useSpeech();
  if (names.length === 0) return null;
  return (
    <ul
      aria-label={t("drafts.pastedPictures")}
      className="flex flex-wrap gap-1.5 border-t border-line bg-sunken p-2"
    >
      {names.map((name) => (
        <li
          key={name}
          className="flex items-center gap-0.5 rounded border border-line bg-surface pl-2 font-mono text-xs"
        >
          {name}
          <IconButton
            label={t("drafts.removePicture", { name })}
            className="size-6"
            onClick={() => onRemove(name)}
          >
            <X size={12} />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}
