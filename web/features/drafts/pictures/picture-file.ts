// Pictures from the visitor's own files. Large ones are made smaller here, because the whole working
// copy goes over the wire with every save.

const BYTES_MAX = 10 * 1024 * 1024;
/** Above this a picture is drawn anew. */
const KEPT_BYTES_MAX = 1024 * 1024;
const WIDTH_MAX = 1600;
const QUALITY = 0.88;

async function drawSmaller(file: File): Promise<string> {
  const picture = await createImageBitmap(file);
  const scale = Math.min(1, WIDTH_MAX / picture.width);
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("No canvas");
  // What is transparent would turn black.
  pen.fillStyle = "#ffffff";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return canvas.toDataURL("image/jpeg", QUALITY);
}

function readWhole(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

/** As a data: address; undefined where it is no picture that this browser can read. */
export async function readPicture(file: File): Promise<string | undefined> {
  if (file.size === 0 || file.size > BYTES_MAX || !file.type.startsWith("image/")) return undefined;
  // A drawing anew would leave only the first frame of it.
  const isMoving = file.type === "image/gif";
  try {
    return isMoving || file.size <= KEPT_BYTES_MAX
      ? await readWhole(file)
      : await drawSmaller(file);
  } catch {
    return undefined;
  }
}
