import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import type { CropBox } from "../../../../src/drafts/contract/article.ts";
import { useSpeech } from "../../../i18n/language.tsx";
import { formatPercent } from "../../../lib/format.ts";
import { cx } from "../../../ui/cx.ts";
import { CUT_LABELS, type Cut, moveCut, resizeCut, type Size } from "./crop.ts";

interface CropFrameProps {
  readonly cut: Cut;
  readonly box: CropBox;
  readonly size: Size;
  readonly isActive: boolean;
  readonly onPick: () => void;
  readonly onChange: (box: CropBox) => void;
}

const STEP = 0.01;
const LEAP = 0.05;

const MOVES: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The point that stays while the opposite corner is pulled. */
const CORNERS = [
  { id: "nw", fixed: { x: 1, y: 1 }, look: "top-0 left-0 cursor-nwse-resize" },
  { id: "ne", fixed: { x: 0, y: 1 }, look: "top-0 right-0 cursor-nesw-resize" },
  { id: "sw", fixed: { x: 1, y: 0 }, look: "bottom-0 left-0 cursor-nesw-resize" },
  { id: "se", fixed: { x: 0, y: 0 }, look: "right-0 bottom-0 cursor-nwse-resize" },
] as const;

function keyedBox(event: KeyboardEvent, props: CropFrameProps): CropBox | undefined {
  const { cut, box, size } = props;
  const step = event.shiftKey ? LEAP : STEP;
  const [right, down] = MOVES[event.key] ?? [];
  if (right !== undefined && down !== undefined) return moveCut(box, right * step, down * step);
  const width = box.x2 - box.x1;
  if (event.key === "+" || event.key === "=") return resizeCut(cut, box, size, width + LEAP);
  return event.key === "-" ? resizeCut(cut, box, size, width - LEAP) : undefined;
}

/** Follows the pointer from where it went down; shares of the picture, not pixels. */
function useDrag(onMove: (start: CropBox, right: number, down: number) => void, box: CropBox) {
  const from = useRef<{ x: number; y: number; box: CropBox; width: number; height: number }>(null);
  const end = () => {
    from.current = null;
  };
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      event.stopPropagation();
      const picture = event.currentTarget.closest("[data-crop]")?.parentElement;
      if (!picture) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      const { width, height } = picture.getBoundingClientRect();
      from.current = { x: event.clientX, y: event.clientY, box, width, height };
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const start = from.current;
      if (!start) return;
      const right = (event.clientX - start.x) / start.width;
      onMove(start.box, right, (event.clientY - start.y) / start.height);
    },
    onPointerUp: end,
    onPointerCancel: end,
  };
}

export function CropFrame(props: CropFrameProps) {
  const { cut, box, isActive, onPick, onChange } = props;
  const { t, locale } = useSpeech();
  const drag = useDrag((start, right, down) => onChange(moveCut(start, right, down)), box);
  const percent = (share: number) => formatPercent(Math.round(share * 100), locale);
  const place = t("drafts.cropPlace", {
    width: percent(box.x2 - box.x1),
    left: percent(box.x1),
    top: percent(box.y1),
  });
  const ratio = t(CUT_LABELS[cut]);
  return (
    <div
      data-crop={cut}
      style={{
        left: `${box.x1 * 100}%`,
        top: `${box.y1 * 100}%`,
        width: `${(box.x2 - box.x1) * 100}%`,
        height: `${(box.y2 - box.y1) * 100}%`,
      }}
      className={cx("absolute", isActive ? "z-10" : "pointer-events-none")}
    >
      <div
        role="slider"
        tabIndex={0}
        aria-label={t("drafts.cropFrame", { ratio })}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round((box.x2 - box.x1) * 100)}
        aria-valuetext={place}
        onFocus={onPick}
        onKeyDown={(event) => {
          const next = keyedBox(event, props);
          if (!next) return;
          event.preventDefault();
          onChange(next);
        }}
        {...drag}
        className={cx(
          "absolute inset-0 cursor-move border-2 outline-offset-2",
          isActive
            ? "border-[#ffffff] shadow-[0_0_0_100vmax_rgb(0_0_0/0.5)]"
            : "border-dashed border-[#ffffff]/70",
        )}
      />
      <span
        onPointerDown={onPick}
        className="pointer-events-auto absolute top-1.5 left-6 z-10 cursor-pointer rounded bg-[#000000]/70 px-1.5 py-0.5 text-xs font-medium text-[#ffffff]"
      >
        {ratio}
      </span>
      {isActive && CORNERS.map((corner) => <Corner key={corner.id} corner={corner} {...props} />)}
    </div>
  );
}

function Corner(props: CropFrameProps & { readonly corner: (typeof CORNERS)[number] }) {
  const { cut, box, size, corner, onChange } = props;
  const drag = useDrag((start, right) => {
    const wider = corner.fixed.x === 0 ? right : -right;
    onChange(resizeCut(cut, start, size, start.x2 - start.x1 + wider, corner.fixed));
  }, box);
  return (
    <span
      aria-hidden="true"
      {...drag}
      className={cx(
        "absolute z-10 size-4 rounded-full border-2 border-accent bg-[#ffffff]",
        corner.look,
      )}
    />
  );
}
