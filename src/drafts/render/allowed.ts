// What of HTML an article may hold. Whatever is not in these lists does not survive.
import type { Style } from "./tree.ts";

interface Replacement {
  readonly name: string;
  readonly style?: Style;
}

function same(names: string): [string, Replacement][] {
  return names.split(" ").map((name) => [name, { name }]);
}

function all(names: string, name: string, style?: Style): [string, Replacement][] {
  return names.split(" ").map((from) => [from, style ? { name, style } : { name }]);
}

/** Elements that stay, and what the others of their kind become. */
export const ELEMENTS: ReadonlyMap<string, Replacement> = new Map([
  ...same("section p span strong em u s sub sup a h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code"),
  ...same("table caption thead tbody tfoot tr th td br img hr figure figcaption svg"),
  ...same("mark ruby rt rp mp-common-profile"),
  ...all("div article main header footer aside nav address details dl dt dd", "section"),
  ...all("center", "section", { "text-align": "center" }),
  ...all("summary", "p", { "font-weight": "bold" }),
  ...all("b", "strong"),
  ...all("i cite dfn", "em"),
  ...all("ins", "u"),
  ...all("del strike", "s"),
  ...all("kbd samp tt var", "code"),
  ...all("font", "span"),
  ...all("small", "span", { "font-size": "0.875em" }),
]);

/** Removed with all that is in them; of every other unknown element the contents stay. */
export const REMOVED = new Set(
  `script style link meta base title head template noscript noembed noframes iframe frame frameset
   object embed applet param audio video track canvas textarea select option
   optgroup datalist input map area math xmp plaintext listing dialog portal slot`.split(/\s+/),
);

/** Unknown elements whose contents stay; a name in neither list is not taken for HTML in markdown. */
export const UNWRAPPED = new Set(
  `form button label fieldset legend output progress meter picture source rb bdi bdo
   abbr acronym big q time data wbr nobr marquee blink menu dir hgroup search col colgroup html
   body`.split(/\s+/),
);

export const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  a: ["href"],
  img: ["src", "alt", "title", "width", "height"],
  ol: ["start"],
  li: ["value"],
  th: ["colspan", "rowspan"],
  td: ["colspan", "rowspan"],
};

/** Marks by which markdown tells what HTML has no element for. */
export const MARKS: Readonly<Record<string, RegExp>> = {
  "data-lang": /^[\w+#.-]{1,40}$/,
  "data-math": /^(?:inline|display)$/,
  "data-task": /^(?:open|done)$/,
  "data-note": /^[^\s\]]{1,100}$/,
  "data-note-text": /^[^\s\]]{1,100}$/,
};

export const CARD = "mp-common-profile";
export const CARD_ATTRIBUTE = /^(?:data-[a-z-]+)$/;

/** Drawings: shapes and words only, nothing that names another document. */
export const SVG_ELEMENTS = new Set(
  "svg g path rect circle ellipse line polyline polygon text tspan".split(" "),
);

export const SVG_ATTRIBUTES = new Set(
  `viewBox width height x y x1 y1 x2 y2 cx cy r rx ry d points transform fill fill-opacity fill-rule
   stroke stroke-width stroke-linecap stroke-linejoin stroke-dasharray stroke-opacity opacity
   font-size font-family font-weight font-style text-anchor dominant-baseline dx dy
   preserveAspectRatio role xmlns`.split(/\s+/),
);

/** Numbers, words and the brackets of `translate(1,2)`: an address fits into none of them. */
export const SVG_VALUE = /^[\w\s.,#%()'+-]*$/;
