import { ArrowLeft, ArrowRight, ImagePlus, Link2, X } from "lucide-react";
import { useState } from "react";
import type { ImageRef } from "../../../../src/drafts/contract/article.ts";
import { useSpeech } from "../../../i18n/language.tsx";
import { lazyPart } from "../../../lib/lazy-part.tsx";
import { Button, IconButton } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { IMAGES_MAX, moveAt, removeAt } from "../editor/article-edit.ts";
import { usePictureInput, usePictureReader } from "./picture-input.tsx";

const PictureUrlDialog = lazyPart(() => import("./picture-url-dialog.tsx"), "PictureUrlDialog");

interface ImageListProps {
  readonly images: readonly ImageRef[];
  /** The first picture of the saved version; the others are only shown where they are from here. */
  readonly served: string;
  /** Of those that are there by then: some may come or go while others are being read. */
  readonly onChange: (edit: (images: readonly ImageRef[]) => readonly ImageRef[]) => void;
}

/** The pictures of an image message, in their order. */
export function ImageList({ images, served, onChange }: ImageListProps) {
  const { t } = useSpeech();
  const read = usePictureReader();
  const [asking, setAsking] = useState(false);
  const take = async (files: readonly File[]) => {
    const good = await read(files);
    onChange((now) => [...now, ...good.map((data) => ({ data }))].slice(0, IMAGES_MAX));
  };
  const isFull = images.length >= IMAGES_MAX;
  return (
    <Card
      title={t("drafts.images")}
      action={
        <span className="text-[13px] text-muted tabular-nums">
          {t("drafts.imagesCount", { count: images.length })}
        </span>
      }
    >
      <section
        aria-label={t("drafts.images")}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          void take([...event.dataTransfer.files]);
        }}
      >
        <ol className="grid grid-cols-2 gap-3 sm:grid-cols-4">
          {images.map((image, place) => (
            <ImageTile
              // biome-ignore lint/suspicious/noArrayIndexKey: the same picture may stand twice.
              key={place}
              src={"data" in image ? image.data : place === 0 ? served : undefined}
              from={sourceOf(image)}
              place={place}
              last={images.length - 1}
              onMove={(by) => onChange((now) => moveAt(now, place, by))}
              onRemove={() => onChange((now) => removeAt(now, place))}
            />
          ))}
        </ol>
        <AddImages
          isFull={isFull}
          onFiles={(files) => void take(files)}
          onUrl={() => setAsking(true)}
        />
      </section>
      {asking && (
        <PictureUrlDialog
          title={t("drafts.addPictureUrl")}
          onDone={(url) => onChange((now) => [...now, { url }])}
          onClose={() => setAsking(false)}
        />
      )}
    </Card>
  );
}

/** In words, for a picture that this page may not load from where it is. */
function sourceOf(image: ImageRef): string {
  if ("url" in image) return image.url.replace(/^https?:\/\//, "");
  return "media_id" in image ? image.media_id : "";
}

interface ImageTileProps {
  readonly src: string | undefined;
  readonly from: string;
  readonly place: number;
  readonly last: number;
  readonly onMove: (by: -1 | 1) => void;
  readonly onRemove: () => void;
}

function ImageTile({ src, from, place, last, onMove, onRemove }: ImageTileProps) {
  const { t } = useSpeech();
  const name = t("drafts.imageName", { number: place + 1 });
  return (
    <li className="overflow-hidden rounded-lg border border-line">
      {src === undefined ? (
        <div className="flex aspect-[3/4] items-center bg-sunken p-2 font-mono text-xs break-all text-muted">
          {from}
        </div>
      ) : (
        <img src={src} alt={name} className="aspect-[3/4] w-full bg-sunken object-cover" />
      )}
      <div className="flex justify-between bg-surface">
        <IconButton
          label={`${name}: ${t("drafts.moveLeft")}`}
          disabled={place === 0}
          onClick={() => onMove(-1)}
        >
          <ArrowLeft size={14} />
        </IconButton>
        <IconButton
          label={`${name}: ${t("drafts.moveRight")}`}
          disabled={place === last}
          onClick={() => onMove(1)}
        >
          <ArrowRight size={14} />
        </IconButton>
        <IconButton label={t("drafts.removePicture", { name })} onClick={onRemove}>
          <X size={14} />
        </IconButton>
      </div>
    </li>
  );
}

interface AddImagesProps {
  readonly isFull: boolean;
  readonly onFiles: (files: readonly File[]) => void;
  readonly onUrl: () => void;
}

function AddImages({ isFull, onFiles, onUrl }: AddImagesProps) {
  const { t } = useSpeech();
  const { input, choose } = usePictureInput(t("drafts.addPictures"), onFiles);
  return (
    <>
      <p className="my-3 text-[13px] text-muted">{t("drafts.imagesHint")}</p>
      <div className="flex flex-wrap gap-2">
        <Button size="small" disabled={isFull} onClick={choose}>
          <ImagePlus size={14} />
          {t("drafts.addPictures")}
        </Button>
        <Button size="small" disabled={isFull} onClick={onUrl}>
          <Link2 size={14} />
          {t("drafts.addPictureUrl")}
        </Button>
      </div>
      {input}
    </>
  );
}
