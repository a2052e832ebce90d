// The parts of MathJax that draw formulas. Each name is a literal, so that a bundler packs these parts and no others.

type Part = () => Promise<unknown>;

/** Parts by the path that MathJax asks for. */
const PARTS: Readonly<Record<string, Part>> = {
  "mathjax/input/tex-base.js": () => import("mathjax/input/tex-base.js"),
  "mathjax/input/tex/extensions/ams.js": () => import("mathjax/input/tex/extensions/ams.js"),
  "mathjax/input/tex/extensions/boldsymbol.js": () =>
    import("mathjax/input/tex/extensions/boldsymbol.js"),
  "mathjax/input/tex/extensions/cancel.js": () => import("mathjax/input/tex/extensions/cancel.js"),
  "mathjax/input/tex/extensions/enclose.js": () =>
    import("mathjax/input/tex/extensions/enclose.js"),
  "mathjax/input/tex/extensions/mathtools.js": () =>
    import("mathjax/input/tex/extensions/mathtools.js"),
  "mathjax/input/tex/extensions/newcommand.js": () =>
    import("mathjax/input/tex/extensions/newcommand.js"),
  "mathjax/output/svg.js": () => import("mathjax/output/svg.js"),
  "@mathjax/mathjax-newcm-font/svg.js": () => import("@mathjax/mathjax-newcm-font/svg.js"),
  "@mathjax/mathjax-newcm-font/svg/dynamic/PUA.js": () =>
    import("@mathjax/mathjax-newcm-font/svg/dynamic/PUA.js"),
  "@mathjax/mathjax-newcm-font/svg/dynamic/accents.js": () =>
    import("@mathjax/mathjax-newcm-font/svg/dynamic/accents.js"),
  "@mathjax/mathjax-newcm-font/svg/dynamic/accents-b-i.js": () =>
    import("@mathjax/mathjax-newcm-font/svg/dynamic/accents-b-i.js"),
  "@mathjax/mathjax-newcm-font/svg/dynamic/arabic.js": () =>
    import("@mathjax/mathjax-newcm-font/svg/dynamic/arabic.js"),
  "@mathjax/mathjax-newcm-font/svg/dynamic/arrows.js": () =>
    import("@mathjax/mathjax-newcm-font/svg/dynamic/arrows.js"),
  "@mathjax/mathjax-newcm-font/svg/dynamic/braille.js": () =>
    import("@mathjax/mathjax-newcm-font/svg/dynamic/braille.js"),
  "@mathjax/mathjax-newcm-font/svg/dynamic/braille-d.js": () =>
    import("@mathjax/mathjax-newcm-font/svg/dynamic/braille-d.js"),
  "@mathjax/mathjax-newcm-font/svg/dynamic/calligraphic.js": () =>
    import("@mathjax/mathjax-newcm-font/svg/dynamic/calligraphic.js"),
  "@mathjax/mathjax-newcm-font/svg/dynamic/cherokee.js": () =>
    import("@mathjax/mathjax-newcm-font/svg/dynamic/cherokee.js"),
  "@mathjax/mathjax-newcm-font/svg/dynamic/cyrillic.js": () =>
    import("@mathjax/mathjax-newcm-font/svg/dynamic/cyrillic.js"),
  "@mathjax/mathjax-newcm-font/svg/dynamic/cyrillic-ss.js": () =>
    import("@mathjax/mathjax-newcm-font/svg/dynamic/cyrillic-ss.js"),
  "@mathjax/mathjax-newcm-font/svg/dynamic/devanagari.js": () =>
    import("@mathjax/mathjax-newcm-font/svg/dynamic/devanagari.js"),
  "@mathjax/mathjax-newcm-font/svg/dynamic/double-struck.js": () =>
    import("@mathjax/mathjax-newcm-font/svg/dynamic/double-struck.js"),
  "@mathjax/mathjax-newcm-font/svg/dynamic/fraktur.js": () =>
    import("@mathjax/mathjax-newcm-font/svg/dynamic/fraktur.js"),
  "@mathjax/mathjax-newcm-font/svg/dynamic/greek.js": () =>
    import("@mathjax/mathjax-newcm-font/svg/dynamic/greek.js"),
  "@mathjax/mathjax-newcm-font/svg/dynamic/greek-ss.js": () =>
    import("@mathjax/mathjax-newcm-font/svg/dynamic/greek-ss.js"),
  "@mathjax/mathjax-newcm-font/svg/dynamic/hebrew.js": () =>
    import("@mathjax/mathjax-newcm-font/svg/dynamic/hebrew.js"),
  "@mathjax/mathjax-newcm-font/svg/dynamic/latin.js": () =>
    import("@mathjax/mathjax-newcm-font/svg/dynamic/latin.js"),
  "@mathjax/mathjax-newcm-font/svg/dynamic/latin-b.js": () =>
    import("@mathjax/mathjax-newcm-font/svg/dynamic/latin-b.js"),
  "@mathjax/mathjax-newcm-font/svg/dynamic/latin-bi.js": () =>
    import("@mathjax/mathjax-newcm-font/svg/dynamic/latin-bi.js"),
  "@mathjax/mathjax-newcm-font/svg/dynamic/latin-i.js": () =>
    import("@mathjax/mathjax-newcm-font/svg/dynamic/latin-i.js"),
  "@mathjax/mathjax-newcm-font/svg/dynamic/marrows.js": () =>
    import("@mathjax/mathjax-newcm-font/svg/dynamic/marrows.js"),
  "@mathjax/mathjax-newcm-font/svg/dynamic/math.js": () =>
    import("@mathjax/mathjax-newcm-font/svg/dynamic/math.js"),
  "@mathjax/mathjax-newcm-font/svg/dynamic/monospace.js": () =>
    import("@mathjax/mathjax-newcm-font/svg/dynamic/monospace.js"),
  "@mathjax/mathjax-newcm-font/svg/dynamic/monospace-ex.js": () =>
    import("@mathjax/mathjax-newcm-font/svg/dynamic/monospace-ex.js"),
  "@mathjax/mathjax-newcm-font/svg/dynamic/monospace-l.js": () =>
    import("@mathjax/mathjax-newcm-font/svg/dynamic/monospace-l.js"),
  "@mathjax/mathjax-newcm-font/svg/dynamic/mshapes.js": () =>
    import("@mathjax/mathjax-newcm-font/svg/dynamic/mshapes.js"),
  "@mathjax/mathjax-newcm-font/svg/dynamic/phonetics.js": () =>
    import("@mathjax/mathjax-newcm-font/svg/dynamic/phonetics.js"),
  "@mathjax/mathjax-newcm-font/svg/dynamic/phonetics-ss.js": () =>
    import("@mathjax/mathjax-newcm-font/svg/dynamic/phonetics-ss.js"),
  "@mathjax/mathjax-newcm-font/svg/dynamic/sans-serif.js": () =>
    import("@mathjax/mathjax-newcm-font/svg/dynamic/sans-serif.js"),
  "@mathjax/mathjax-newcm-font/svg/dynamic/sans-serif-b.js": () =>
    import("@mathjax/mathjax-newcm-font/svg/dynamic/sans-serif-b.js"),
  "@mathjax/mathjax-newcm-font/svg/dynamic/sans-serif-bi.js": () =>
    import("@mathjax/mathjax-newcm-font/svg/dynamic/sans-serif-bi.js"),
  "@mathjax/mathjax-newcm-font/svg/dynamic/sans-serif-ex.js": () =>
    import("@mathjax/mathjax-newcm-font/svg/dynamic/sans-serif-ex.js"),
  "@mathjax/mathjax-newcm-font/svg/dynamic/sans-serif-i.js": () =>
    import("@mathjax/mathjax-newcm-font/svg/dynamic/sans-serif-i.js"),
  "@mathjax/mathjax-newcm-font/svg/dynamic/sans-serif-r.js": () =>
    import("@mathjax/mathjax-newcm-font/svg/dynamic/sans-serif-r.js"),
  "@mathjax/mathjax-newcm-font/svg/dynamic/script.js": () =>
    import("@mathjax/mathjax-newcm-font/svg/dynamic/script.js"),
  "@mathjax/mathjax-newcm-font/svg/dynamic/shapes.js": () =>
    import("@mathjax/mathjax-newcm-font/svg/dynamic/shapes.js"),
  "@mathjax/mathjax-newcm-font/svg/dynamic/symbols.js": () =>
    import("@mathjax/mathjax-newcm-font/svg/dynamic/symbols.js"),
  "@mathjax/mathjax-newcm-font/svg/dynamic/symbols-b-i.js": () =>
    import("@mathjax/mathjax-newcm-font/svg/dynamic/symbols-b-i.js"),
  "@mathjax/mathjax-newcm-font/svg/dynamic/variants.js": () =>
    import("@mathjax/mathjax-newcm-font/svg/dynamic/variants.js"),
};

/** The folder that MathJax takes for its own. It puts this before the names of its parts. */
export const HOME = "/mathjax";

/** Loads the part that MathJax names. */
export function loadPart(path: string): Promise<unknown> {
  const part = PARTS[path.startsWith(HOME) ? path.slice(1) : path];
  if (!part) throw new Error(`MathJax asks for ${path}, which is not packed`);
  return part();
}

/** Letters that MathJax loads with the first formula that has one of them. */
export const LETTERS = Object.keys(PARTS).filter((path) => path.includes("/dynamic/"));
