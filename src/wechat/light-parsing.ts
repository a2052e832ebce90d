// Pictures that stand in HTML as data URLs are megabytes of letters, each of which the parser would look at.
import { type DefaultTreeAdapterTypes, type defaultTreeAdapter, parseFragment } from "parse5";

type TreeAdapter = typeof defaultTreeAdapter;

/** Long enough to be worth the search for it afterwards; without the dash, by which a comment may end. */
const VALUE = /(?<=;base64,)[a-z0-9+/=_]{1000,}/gi;

interface Light {
  readonly html: string;
  readonly values: readonly string[];
  /**
   * What stands before the number of a value while the parser reads, which takes both alike wherever neither is a
   * name. Nobody can guess it: who could write marks, by references of characters too, would be given megabytes
   * for each.
   */
  readonly mark: string;
}

/** The HTML with marks in place of what is long. */
export function lightened(html: string): Light {
  const values: string[] = [];
  const mark = `kept${crypto.randomUUID().replaceAll("-", "")}x`;
  const light = html.replace(VALUE, (value) => {
    values.push(value);
    return `${mark}${values.length - 1}end`;
  });
  return { html: light, values, mark };
}

/** An adapter that puts back what is long in values, text and comments, and which of it. */
function restoring(adapter: TreeAdapter, { values, mark }: Light) {
  const restored = new Set<number>();
  const marks = new RegExp(`${mark}(\\d+)end`, "g");
  const whole = (text: string) =>
    text.replace(marks, (found, at: string) => {
      restored.add(Number(at));
      return values[Number(at)] ?? found;
    });
  /** A format that is opened again has the attributes of before, which need no second look. */
  const seen = new WeakSet<object>();
  const restorer: TreeAdapter = {
    ...adapter,
    createElement(tagName, namespaceURI, attrs) {
      if (!seen.has(attrs)) for (const attr of attrs) attr.value = whole(attr.value);
      seen.add(attrs);
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
  const { restorer, restored } = restoring(adapter(), light);
  const tree = parseFragment(light.html, { treeAdapter: restorer });
  // A value that did not come back stood where its letters have a meaning: in a name, which a slash would end.
  if (restored.size === light.values.length) return tree;
  return parseFragment(html, { treeAdapter: adapter() });
}
