import { Fault } from "../../../lib/faults.ts";
import type { ArticleDoc } from "../../contract/article.ts";
import type { PublicAccount } from "../../draft.ts";
import type { Images } from "../../images/images.ts";
import { PictureError, type PictureFile } from "../../images/picture.ts";

async function fileOf(
  images: Images,
  doc: ArticleDoc,
  account: PublicAccount,
): Promise<PictureFile> {
  const ref = doc.type === "newspic" ? doc.images?.[0] : doc.cover;
  if (!ref || "card" in ref) {
    const theme = doc.theme ?? account.theme ?? undefined;
    return images.titleCard({
      title: doc.title,
      author: doc.author ?? account.author ?? "",
      theme,
    });
  }
  if ("media_id" in ref) {
    throw new Fault("not_found", "This cover is known by its media_id only; the platform has it.");
  }
  return images.forMaterial(await images.load(ref));
}

/** The cover of an article as it would be uploaded, for a page to show and cut. */
export async function coverPicture(
  images: Images,
  doc: ArticleDoc,
  account: PublicAccount,
): Promise<Response> {
  try {
    const { bytes, contentType } = await fileOf(images, doc, account);
    const headers = { "content-type": contentType, "content-security-policy": "sandbox" };
    return new Response(new Uint8Array(bytes), { headers });
  } catch (thrown) {
    if (!(thrown instanceof PictureError)) throw thrown;
    throw new Fault("invalid_value", `${thrown.message} ${thrown.fix}`, {
      param: "cover",
      cause: thrown,
    });
  }
}
