import { useEffect, useState } from "react";
import type { CropBox } from "../../../../src/drafts/contract/article.ts";
import type { Size } from "./crop.ts";

interface Measured {
  readonly src: string;
  readonly size: Size | undefined;
}

/** How large a picture is, once it has come; broken where it will not. */
export function usePictureSize(src: string): {
  readonly size: Size | undefined;
  readonly isBroken: boolean;
} {
  const [found, setFound] = useState<Measured>();
  useEffect(() => {
    const picture = new Image();
    picture.onload = () => {
      const { naturalWidth: width, naturalHeight: height } = picture;
      setFound({ src, size: { width, height } });
    };
    picture.onerror = () => setFound({ src, size: undefined });
    picture.src = src;
    return () => {
      picture.onload = null;
      picture.onerror = null;
    };
  }, [src]);
  if (found?.src !== src) return { size: undefined, isBroken: false };
  return { size: found.size, isBroken: found.size === undefined };
}

interface CutPictureProps {
  readonly src: string;
  readonly box: CropBox;
  /** Absent where words beside it say what it is. */
  readonly label?: string | undefined;
}

/** A part of a picture that fills the box around it, which has its shape. */
export function CutPicture({ src, box, label }: CutPictureProps) {
  const { x1, y1, x2, y2 } = box;
  return (
    <svg
      role="img"
      aria-label={label}
      aria-hidden={label === undefined}
      viewBox={`${x1} ${y1} ${x2 - x1} ${y2 - y1}`}
      preserveAspectRatio="none"
      className="size-full"
    >
      <image href={src} width="1" height="1" preserveAspectRatio="none" />
    </svg>
  );
}
