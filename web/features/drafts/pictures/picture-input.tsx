import { useRef } from "react";
import { useSpeech } from "../../../i18n/language.tsx";
import { useToast } from "../../../ui/toasts/toast.tsx";
import { inWords } from "../draft-calls.ts";
import { readPicture } from "./picture-file.ts";

/** Reads pictures as data: addresses; those that this browser cannot read are told of and left out. */
export function usePictureReader(): (files: readonly File[]) => Promise<readonly string[]> {
  const { t } = useSpeech();
  const toast = useToast();
  return async (files) => {
    const read = await Promise.all(files.map(readPicture));
    const good = read.filter((data) => data !== undefined);
    if (good.length < read.length) toast.failed(inWords(t("drafts.pictureUnreadable")));
    return good;
  };
}

/** Pictures of the visitor's own: `choose` opens the browser's dialog, for which `input` is drawn. */
export function usePictureInput(
  label: string,
  onFiles: (files: readonly File[]) => void,
  { multiple = true } = {},
) {
  const ref = useRef<HTMLInputElement>(null);
  const input = (
    <input
      ref={ref}
      type="file"
      accept="image/*"
      multiple={multiple}
      hidden
      aria-label={label}
      onChange={({ currentTarget }) => {
        onFiles([...(currentTarget.files ?? [])]);
        currentTarget.value = "";
      }}
    />
  );
  return { input, choose: () => ref.current?.click() };
}
