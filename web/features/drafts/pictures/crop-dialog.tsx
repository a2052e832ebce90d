import { useState } from "react";
import type { CropBox, CropBoxes } from "../../../../src/drafts/contract/article.ts";
import { useSpeech } from "../../../i18n/language.tsx";
import { formatPercent } from "../../../lib/format.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import {
  CUT_LABELS,
  CUTS,
  type Cut,
  centreCuts,
  RATIOS,
  resizeCut,
  type Size,
  widestOf,
} from "./crop.ts";
import { CropFrame } from "./crop-frame.tsx";
import { CutPicture } from "./cut-picture.tsx";

interface CropDialogProps {
  readonly src: string;
  readonly crops: CropBoxes;
  readonly onDone: (crops: CropBoxes) => void;
  readonly onClose: () => void;
}

export function CropDialog({ src, crops, onDone, onClose }: CropDialogProps) {
  const { t } = useSpeech();
  const [size, setSize] = useState<Size>();
  const [boxes, setBoxes] = useState<CropBoxes>(crops);
  const onSize = (found: Size) => {
    setSize(found);
    setBoxes((before) => ({ ...centreCuts(found), ...before }));
  };
  const set = (cut: Cut, box: CropBox) => setBoxes((before) => ({ ...before, [cut]: box }));
  const footer = (
    <>
      <Button disabled={!size} onClick={() => size && setBoxes(centreCuts(size))}>
        {t("drafts.cropCentre")}
      </Button>
      <Button onClick={onClose}>{t("words.cancel")}</Button>
      <Button
        kind="primary"
        disabled={!size}
        onClick={() => {
          onDone(boxes);
          onClose();
        }}
      >
        {t("words.save")}
      </Button>
    </>
  );
  return (
    <Dialog
      wide
      stays
      onClose={onClose}
      title={t("drafts.cropTitle")}
      description={t("drafts.cropHint")}
      footer={footer}
    >
      <CropTable src={src} size={size} boxes={boxes} onSize={onSize} onChange={set} />
    </Dialog>
  );
}

interface CropTableProps {
  readonly src: string;
  readonly size: Size | undefined;
  readonly boxes: CropBoxes;
  readonly onSize: (size: Size) => void;
  readonly onChange: (cut: Cut, box: CropBox) => void;
}

function CropTable({ src, size, boxes, onSize, onChange }: CropTableProps) {
  const { t } = useSpeech();
  const [active, setActive] = useState<Cut>("wide");
  return (
    <div className="flex flex-col gap-5">
      <div className="flex justify-center overflow-hidden rounded-lg bg-sunken">
        <div className="relative w-fit touch-none select-none">
          {!size && <Skeleton className="h-72 w-full" />}
          <img
            src={src}
            alt={t("drafts.cover")}
            draggable={false}
            className={size ? "block max-h-[46dvh] max-w-full" : "sr-only"}
            onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
              onSize({ width, height })
            }
          />
          {size &&
            CUTS.map((cut) => {
              const box = boxes[cut];
              return (
                box && (
                  <CropFrame
                    key={cut}
                    cut={cut}
                    box={box}
                    size={size}
                    isActive={cut === active}
                    onPick={() => setActive(cut)}
                    onChange={(next) => onChange(cut, next)}
                  />
                )
              );
            })}
        </div>
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        {CUTS.map((cut) => (
          <CutControls
            key={cut}
            cut={cut}
            src={src}
            size={size}
            box={boxes[cut]}
            onChange={(box) => {
              setActive(cut);
              onChange(cut, box);
            }}
          />
        ))}
      </div>
    </div>
  );
}

interface CutControlsProps {
  readonly cut: Cut;
  readonly src: string;
  readonly size: Size | undefined;
  readonly box: CropBox | undefined;
  readonly onChange: (box: CropBox) => void;
}

/** What a frame shows, and how large it is. */
function CutControls({ cut, src, size, box, onChange }: CutControlsProps) {
  const { t, locale } = useSpeech();
  const ratio = t(CUT_LABELS[cut]);
  const widest = size ? widestOf(cut, size) : 1;
  const width = box ? box.x2 - box.x1 : 1;
  return (
    <div className="flex items-center gap-3">
      <div
        style={{ aspectRatio: RATIOS[cut] }}
        className="h-16 shrink-0 overflow-hidden rounded border border-line bg-sunken"
      >
        {size && box && <CutPicture src={src} box={box} />}
      </div>
      <label className="flex min-w-0 flex-1 flex-col gap-1 text-[13px]">
        <span className="flex justify-between gap-2">
          {t("drafts.cropSize", { ratio })}
          <span className="text-muted tabular-nums">
            {formatPercent(Math.round((width / widest) * 100), locale)}
          </span>
        </span>
        <input
          type="range"
          min={10}
          max={100}
          value={Math.round((width / widest) * 100)}
          disabled={!size || !box}
          onChange={({ currentTarget }) =>
            size &&
            box &&
            onChange(resizeCut(cut, box, size, (Number(currentTarget.value) / 100) * widest))
          }
          className="w-full accent-accent"
        />
      </label>
    </div>
  );
}
