// Pictures that stand in HTML as data URLs are megabytes of letters, each of which the parser would look at.
import { type DefaultTreeAdapterTypes, type defaultTreeAdapter, parseFragment } from "parse5";

type TreeAdapter = typeof defaultTreeAdapter;

/** Long enough to be worth the search for it afterwards; without the dash, by which a comment may end. */
const VALUE = /(?<=;base64,)[a-z0-9+/=_]{1000,}/gi;
/** Stands for such a value while the parser reads, which takes both alike wherever neither is a name. */
const MARK = /keptvalue(\d{1,7})end/g;
const MARK_START = "keptvalue";

interface Light {
  readonly html: string;
  readonly values: readonly string[];
}

/** The HTML with marks in place of what is long. */
export function lightened(html: string): Light {
  const values: string[] = [];
  // Whoever writes marks, as nobody has a reason to, has all of it read as it stands.
  if (html.includes(MARK_START)) return { html, values };
  const light = html.replace(VALUE, (value) => {
    values.push(value);
    return `${MARK_START}${values.length - 1}end`;
  });
  return { html: light, values };
}

/** An adapter that puts back what is long in values, text and comments, and which of it. */
function restoring(adapter: TreeAdapter, values: readonly string[]) {
  const restored = new Set<number>();
  const whole = (text: string) =>
    text.replace(MARK, (mark, at: string) => {
      restored.add(Number(at));
      return values[Number(at)] ?? mark;
    });
  const restorer: TreeAdapter = {
    ...adapter,
    createElement(tagName, namespaceURI, attrs) {
      for (const attr of attrs) attr.value = whole(attr.value);
      return adapter.createElement(tagName, namespaceURI, attrs);
    },
    createCommentNode: (data) => adapter.createCommentNode(whole(data)),
    insertText: (parent, text) => adapter.insertText(parent, whole(text)),
    insertTextBefore: (parent, text, before) =>
      adapter.insertTextBefore(parent, whole(text), before),
  };
  return { restorer, restored };
}

/** What `parseFragment` gives, by an adapter that is new for each reading. */
export function parseLightly(
  html: string,
  adapter: () => TreeAdapter,
): DefaultTreeAdapterTypes.DocumentFragment {
  const light = lightened(html);
  if (light.values.length === 0) return parseFragment(html, { treeAdapter: adapter() });
  const { restorer, restored } = restoring(adapter(), light.values);
  const tree = parseFragment(light.html, { treeAdapter: restorer });
  // A value that did not come back stood where its letters have a meaning: in a name, which a slash would end.
  if (restored.size === light.values.length) return tree;
  return parseFragment(html, { treeAdapter: adapter() });
}
