import type { SKRSContext2D } from "@napi-rs/canvas";

/** A card is drawn in the shape of a wide cover; its middle square is the small one. */
export const CARD_WIDTH = 900;
export const CARD_HEIGHT = 383;

type Pen = SKRSContext2D;

/** How a card looks: what stands behind the words, and the colours of these. */
export interface CardLook {
  readonly title: string;
  readonly author: string;
  readonly accent: string;
  paint(pen: Pen): void;
}

function fillAll(pen: Pen, from: string, to: string): void {
  const fade = pen.createLinearGradient(0, 0, CARD_WIDTH, CARD_HEIGHT);
  fade.addColorStop(0, from);
  fade.addColorStop(1, to);
  pen.fillStyle = fade;
  pen.fillRect(0, 0, CARD_WIDTH, CARD_HEIGHT);
}

function disc(pen: Pen, x: number, y: number, radius: number, colour: string): void {
  pen.fillStyle = colour;
  pen.beginPath();
  pen.arc(x, y, radius, 0, Math.PI * 2);
  pen.fill();
}

function glow(pen: Pen, x: number, y: number, radius: number, inner: string, outer: string): void {
  const fade = pen.createRadialGradient(x, y, 0, x, y, radius);
  fade.addColorStop(0, inner);
  fade.addColorStop(1, outer);
  pen.fillStyle = fade;
  pen.fillRect(x - radius, y - radius, radius * 2, radius * 2);
}

function rings(pen: Pen, x: number, y: number, radii: readonly number[], colour: string): void {
  pen.strokeStyle = colour;
  for (const radius of radii) {
    pen.beginPath();
    pen.arc(x, y, radius, 0, Math.PI * 2);
    pen.stroke();
  }
}

/** A hill whose ridge goes through points that are given from the left edge to the right. */
function hill(pen: Pen, heights: readonly number[], colour: string): void {
  const step = CARD_WIDTH / (heights.length - 1);
  pen.fillStyle = colour;
  pen.beginPath();
  pen.moveTo(0, CARD_HEIGHT);
  pen.lineTo(0, heights[0] ?? CARD_HEIGHT);
  heights.slice(1).forEach((height, index) => {
    const before = heights[index] ?? height;
    const middle = (index + 0.5) * step;
    pen.bezierCurveTo(middle, before, middle, height, (index + 1) * step, height);
  });
  pen.lineTo(CARD_WIDTH, CARD_HEIGHT);
  pen.fill();
}

/** Two wings, seen from afar. */
function bird(pen: Pen, x: number, y: number, wing: number): void {
  pen.lineWidth = 1.8;
  pen.lineCap = "round";
  pen.beginPath();
  pen.moveTo(x - wing, y - wing * 0.28);
  pen.quadraticCurveTo(x - wing * 0.4, y - wing * 0.6, x, y);
  pen.quadraticCurveTo(x + wing * 0.4, y - wing * 0.6, x + wing, y - wing * 0.28);
  pen.stroke();
}

/** Warm paper with a red sun behind misty hills. */
const paper: CardLook = {
  title: "#23201c",
  author: "#7c7163",
  accent: "#b23a2e",
  paint(pen) {
    fillAll(pen, "#fbf8f1", "#f1e9da");
    disc(pen, 752, 128, 62, "#b23a2e");
    pen.strokeStyle = "rgba(70, 60, 50, 0.55)";
    bird(pen, 118, 112, 17);
    bird(pen, 164, 88, 11);
    bird(pen, 180, 128, 8);
    hill(pen, [268, 318, 352, 366, 362, 330, 236, 262], "rgba(92, 105, 98, 0.14)");
    hill(pen, [318, 286, 346, 374, 376, 356, 300, 222], "rgba(72, 88, 82, 0.20)");
    hill(pen, [300, 342, 368, 383, 383, 372, 340, 292], "rgba(46, 62, 58, 0.34)");
  },
};

/** A clear night: two glows, the orbits around them, and some stars. */
const night: CardLook = {
  title: "#ffffff",
  author: "#a9b8dd",
  accent: "#6ea8ff",
  paint(pen) {
    fillAll(pen, "#0a1128", "#16224a");
    glow(pen, 60, 400, 380, "rgba(60, 110, 255, 0.50)", "rgba(60, 110, 255, 0)");
    glow(pen, 880, -30, 360, "rgba(150, 90, 255, 0.46)", "rgba(150, 90, 255, 0)");
    pen.lineWidth = 1;
    rings(pen, 60, 400, [120, 170, 226, 288], "rgba(160, 190, 255, 0.20)");
    rings(pen, 880, -30, [110, 160, 214, 274], "rgba(205, 180, 255, 0.20)");
    disc(pen, 60 + 226 * Math.cos(-0.9), 400 + 226 * Math.sin(-0.9), 5, "#8fbaff");
    disc(pen, 880 + 214 * Math.cos(2.2), -30 + 214 * Math.sin(2.2), 5, "#c9a8ff");
    disc(pen, 60 + 120 * Math.cos(-1.3), 400 + 120 * Math.sin(-1.3), 3, "#ffffff");
    for (let star = 1; star <= 60; star += 1) {
      // Steps that fill a plane evenly without falling into rows, so the sky is the same each time.
      const x = ((star * 0.7548777) % 1) * CARD_WIDTH;
      const y = ((star * 0.5698403) % 1) * CARD_HEIGHT;
      if (Math.abs(x - CARD_WIDTH / 2) < 180) continue;
      disc(pen, x, y, 0.7 + (star % 3) * 0.4, `rgba(255, 255, 255, ${0.2 + (star % 4) * 0.12})`);
    }
  },
};

function leaf(pen: Pen, x: number, y: number, length: number, angle: number, colour: string): void {
  pen.save();
  pen.translate(x, y);
  pen.rotate(angle);
  pen.fillStyle = colour;
  pen.beginPath();
  pen.moveTo(0, 0);
  pen.quadraticCurveTo(length * 0.42, -length * 0.34, length, 0);
  pen.quadraticCurveTo(length * 0.42, length * 0.34, 0, 0);
  pen.fill();
  pen.strokeStyle = "rgba(255, 255, 255, 0.35)";
  pen.lineWidth = 1.5;
  pen.beginPath();
  pen.moveTo(length * 0.08, 0);
  pen.lineTo(length * 0.86, 0);
  pen.stroke();
  pen.restore();
}

/** Fresh leaves that come in from two corners. */
const leaves: CardLook = {
  title: "#12382b",
  author: "#4d7a68",
  accent: "#1f8a5b",
  paint(pen) {
    fillAll(pen, "#f2faf5", "#d9efe3");
    glow(pen, 450, 190, 330, "rgba(255, 255, 255, 0.85)", "rgba(255, 255, 255, 0)");
    leaf(pen, -24, 396, 250, -1.18, "rgba(31, 138, 91, 0.55)");
    leaf(pen, -24, 396, 268, -0.72, "rgba(66, 168, 118, 0.55)");
    leaf(pen, -24, 396, 330, -0.2, "rgba(126, 201, 160, 0.65)");
    leaf(pen, 926, -18, 262, 1.96, "rgba(31, 138, 91, 0.48)");
    leaf(pen, 926, -18, 276, 2.42, "rgba(66, 168, 118, 0.50)");
    leaf(pen, 926, -18, 336, 2.98, "rgba(126, 201, 160, 0.62)");
  },
};

const TILE = 128;

/** One quarter of a disc, whose corner is that corner of the tile. */
function quarter(pen: Pen, x: number, y: number, corner: 0 | 1 | 2 | 3, colour: string): void {
  const cornerX = corner === 1 || corner === 2 ? x + TILE : x;
  const cornerY = corner >= 2 ? y + TILE : y;
  pen.fillStyle = colour;
  pen.beginPath();
  pen.moveTo(cornerX, cornerY);
  pen.arc(cornerX, cornerY, TILE, (corner * Math.PI) / 2, ((corner + 1) * Math.PI) / 2);
  pen.fill();
}

function tile(pen: Pen, x: number, y: number, colour: string): void {
  pen.fillStyle = colour;
  pen.fillRect(x, y, TILE, TILE);
}

/** Two columns of bold shapes, with a calm field between them. */
const poster: CardLook = {
  title: "#1c1b22",
  author: "#6d6875",
  accent: "#ff5a3c",
  paint(pen) {
    const [red, blue, yellow, ink, sand] = ["#ff5a3c", "#2f5bea", "#ffc53d", "#1c1b22", "#f3e9dc"];
    pen.fillStyle = "#fffaf3";
    pen.fillRect(0, 0, CARD_WIDTH, CARD_HEIGHT);
    const right = CARD_WIDTH - 2 * TILE;
    tile(pen, 0, 0, blue);
    quarter(pen, 0, 0, 2, yellow);
    tile(pen, TILE, 0, sand);
    disc(pen, TILE * 1.5, TILE * 0.5, 40, red);
    tile(pen, 0, TILE, yellow);
    quarter(pen, 0, TILE, 0, ink);
    quarter(pen, TILE, TILE, 1, blue);
    tile(pen, 0, TILE * 2, sand);
    quarter(pen, 0, TILE * 2, 3, red);
    tile(pen, TILE, TILE * 2, ink);
    disc(pen, TILE * 1.5, TILE * 2.5, 22, yellow);
    tile(pen, right, 0, ink);
    quarter(pen, right, 0, 1, red);
    tile(pen, right + TILE, 0, yellow);
    disc(pen, right + TILE * 1.5, TILE * 0.5, 30, ink);
    quarter(pen, right, TILE, 3, yellow);
    tile(pen, right + TILE, TILE, red);
    quarter(pen, right + TILE, TILE, 2, sand);
    tile(pen, right, TILE * 2, sand);
    quarter(pen, right, TILE * 2, 2, blue);
    tile(pen, right + TILE, TILE * 2, blue);
    disc(pen, right + TILE * 1.5, TILE * 2.5, 40, "#fffaf3");
    // Two corners of the calm field, so that the square in the middle has colour of its own.
    pen.save();
    pen.beginPath();
    pen.rect(TILE * 2, 0, right - TILE * 2, CARD_HEIGHT);
    pen.clip();
    disc(pen, TILE * 2, CARD_HEIGHT, 46, blue);
    disc(pen, right, 0, 46, yellow);
    pen.restore();
  },
};

/** Washes of ink under a moon that is only a line. */
const wash: CardLook = {
  title: "#161616",
  author: "#6b6b6b",
  accent: "#161616",
  paint(pen) {
    fillAll(pen, "#ffffff", "#f3f3f2");
    pen.lineWidth = 2.5;
    rings(pen, 140, 116, [50], "rgba(20, 20, 20, 0.80)");
    pen.strokeStyle = "rgba(20, 20, 20, 0.60)";
    bird(pen, 742, 92, 15);
    bird(pen, 784, 112, 10);
    hill(pen, [236, 262, 330, 366, 368, 344, 296, 246], "rgba(0, 0, 0, 0.09)");
    hill(pen, [282, 240, 338, 374, 376, 350, 262, 290], "rgba(0, 0, 0, 0.18)");
    hill(pen, [262, 330, 366, 383, 383, 366, 322, 250], "rgba(0, 0, 0, 0.62)");
  },
};

/** By the theme of the article. */
const LOOKS: Readonly<Record<string, CardLook>> = {
  calm: leaves,
  letterpress: paper,
  engineer: night,
  magazine: poster,
  ink: wash,
};

export function cardLook(theme: string | undefined): CardLook {
  return LOOKS[theme ?? ""] ?? leaves;
}
