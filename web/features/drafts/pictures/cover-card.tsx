import { Crop, ImageUp, Link2, Type } from "lucide-react";
import { useState } from "react";
import type { ArticleDoc, CoverRef } from "../../../../src/drafts/contract/article.ts";
import { useSpeech } from "../../../i18n/language.tsx";
import { lazyPart } from "../../../lib/lazy-part.tsx";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { CUT_LABELS, CUTS, centreCut, RATIOS } from "./crop.ts";
import { CutPicture, usePictureSize } from "./cut-picture.tsx";
import { usePictureInput, usePictureReader } from "./picture-input.tsx";

const CropDialog = lazyPart(() => import("./crop-dialog.tsx"), "CropDialog");
const PictureUrlDialog = lazyPart(() => import("./picture-url-dialog.tsx"), "PictureUrlDialog");

interface CoverCardProps {
  readonly article: ArticleDoc;
  /** The cover of the saved version, as the server has made it. */
  readonly served: string;
  readonly onChange: (cover: CoverRef | undefined) => void;
}

/** Where the picture can be looked at: this page shows nothing from other sites. */
function pictureAddress(cover: CoverRef | undefined, served: string): string {
  return cover && "data" in cover ? cover.data : served;
}

export function CoverCard({ article, served, onChange }: CoverCardProps) {
  const { t } = useSpeech();
  const [open, setOpen] = useState<"crop" | "url">();
  const { cover } = article;
  const src = pictureAddress(cover, served);
  const isCard = cover === undefined || "card" in cover;
  const close = () => setOpen(undefined);
  const note = isCard
    ? t("drafts.coverCardNote")
    : "media_id" in cover
      ? t("drafts.coverBoxNote")
      : t("drafts.coverHint");
  const crop = !isCard && (
    <Button size="small" onClick={() => setOpen("crop")}>
      <Crop size={14} />
      {t("drafts.coverCrop")}
    </Button>
  );
  return (
    <Card title={t("drafts.cover")} action={crop}>
      <CoverPictures key={src} src={src} cover={cover} />
      <p className="mt-3 text-[13px] text-muted">{note}</p>
      <CoverSources isCard={isCard} onChange={onChange} onUrl={() => setOpen("url")} />
      {open === "crop" && cover && (
        <CropDialog
          src={src}
          crops={cover.crops ?? {}}
          onDone={(crops) => onChange({ ...cover, crops })}
          onClose={close}
        />
      )}
      {open === "url" && (
        <PictureUrlDialog
          title={t("drafts.coverUrlTitle")}
          onDone={(url) => onChange({ url })}
          onClose={close}
        />
      )}
    </Card>
  );
}

interface CoverSourcesProps extends Pick<CoverCardProps, "onChange"> {
  readonly isCard: boolean;
  readonly onUrl: () => void;
}

function CoverSources({ isCard, onChange, onUrl }: CoverSourcesProps) {
  const { t } = useSpeech();
  const read = usePictureReader();
  const take = async (files: readonly File[]) => {
    const [data] = await read(files);
    if (data !== undefined) onChange({ data });
  };
  const { input, choose } = usePictureInput(t("drafts.coverUpload"), (files) => void take(files), {
    multiple: false,
  });
  return (
    <div className="mt-3 flex flex-wrap gap-2">
      <Button size="small" onClick={choose}>
        <ImageUp size={14} />
        {t("drafts.coverUpload")}
      </Button>
      <Button size="small" onClick={onUrl}>
        <Link2 size={14} />
        {t("drafts.coverUrl")}
      </Button>
      <Button size="small" disabled={isCard} onClick={() => onChange({ card: true })}>
        <Type size={14} />
        {t("drafts.coverCard")}
      </Button>
      {input}
    </div>
  );
}

interface CoverPicturesProps {
  readonly src: string;
  readonly cover: CoverRef | undefined;
}

/** Both cuts in the same height, as readers will see them. */
function CoverPictures({ src, cover }: CoverPicturesProps) {
  const { t } = useSpeech();
  const size = usePictureSize(src);
  return (
    <div className="flex max-w-md gap-3">
      {CUTS.map((cut) => (
        <figure key={cut} style={{ flexGrow: RATIOS[cut], flexBasis: 0 }} className="min-w-0">
          <div
            style={{ aspectRatio: RATIOS[cut] }}
            className="flex items-center justify-center overflow-hidden rounded-md border border-line bg-sunken"
          >
            {size === "broken" && cut === "wide" && (
              <span className="p-2 text-center text-[13px] text-muted">
                {t("drafts.coverMissing")}
              </span>
            )}
            {size && size !== "broken" && (
              <CutPicture
                src={src}
                box={cover?.crops?.[cut] ?? centreCut(cut, size)}
                label={t("drafts.cropFrame", { ratio: t(CUT_LABELS[cut]) })}
              />
            )}
          </div>
          <figcaption className="mt-1 text-xs text-muted">{t(CUT_LABELS[cut])}</figcaption>
        </figure>
      ))}
    </div>
  );
}
