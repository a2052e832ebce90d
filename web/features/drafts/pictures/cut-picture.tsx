import { useEffect, useState } from "react";
import type { CropBox } from "../../../../src/drafts/contract/article.ts";
import type { Size } from "./crop.ts";

/** How large a picture is, once it has come; broken where it will not. Another one is another component. */
export function usePictureSize(src: string): Size | "broken" | undefined {
  const [size, setSize] = useState<Size | "broken">();
  useEffect(() => {
    const picture = new Image();
    picture.onload = () => {
      const { naturalWidth: width, naturalHeight: height } = picture;
      setSize({ width, height });
    };
    picture.onerror = () => setSize("broken");
    picture.src = src;
    return () => {
      picture.onload = null;
      picture.onerror = null;
    };
  }, [src]);
  return size;
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
