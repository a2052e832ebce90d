import { useSpeech } from "../i18n/language.tsx";
import type { Side } from "./article-sides.tsx";

interface PhoneProps {
  /** Of the draft in the API. */
  readonly own: string;
  readonly index: number;
  readonly title: string;
  readonly side: Side;
}

/**
 * The article as a phone shows it. It was written by anybody, so it stands in a frame that is shut
 * from both sides: this attribute, and the policy of the document inside.
 */
export function Phone({ own, index, title, side }: PhoneProps) {
  const { t } = useSpeech();
  const version = side === "submitted" ? "submitted" : "stored";
  const source = `${own}/frame?${new URLSearchParams({ article: String(index), version })}`;
  return (
    <figure className="mx-auto w-full max-w-[23.5rem]">
      <div className="overflow-hidden rounded-[2rem] border-8 border-line-strong bg-surface">
        <iframe
          key={source}
          src={source}
          sandbox=""
          title={t("material.preview", { title })}
          className="block h-[38rem] w-full"
          // An article stands on white in every theme, also while it comes.
          style={{ background: "#fff", colorScheme: "light" }}
        />
      </div>
      <figcaption className="mt-2 text-center text-[13px] text-muted">
        {t(version === "stored" ? "material.previewStored" : "material.previewSubmitted")}
      </figcaption>
    </figure>
  );
}
