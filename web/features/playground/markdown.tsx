import { lexer, type Token, type Tokens } from "marked";
import { Fragment, type ReactNode } from "react";
import { CodeBlock } from "../../ui/code.tsx";

/** Where a link in an answer may lead; a model can be talked into writing any other. */
const SAFE_LINK = /^(?:https?:\/\/|mailto:)/i;

function each(tokens: readonly Token[] | undefined): ReactNode {
  return tokens?.map((token, index) => (
    // What was written stays in its place while more is added.
    // biome-ignore lint/suspicious/noArrayIndexKey: see above.
    <Fragment key={index}>{drawn(token)}</Fragment>
  ));
}

function Anchor({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  if (!SAFE_LINK.test(href)) return children;
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="text-accent underline underline-offset-2"
    >
      {children}
    </a>
  );
}

function List({ list }: { readonly list: Tokens.List }) {
  const items = list.items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: as above.
    <li key={index}>{each(item.tokens)}</li>
  ));
  const look = "my-2 flex flex-col gap-1 pl-6";
  if (!list.ordered) return <ul className={`${look} list-disc`}>{items}</ul>;
  return (
    <ol start={list.start || 1} className={`${look} list-decimal`}>
      {items}
    </ol>
  );
}

function Table({ table }: { readonly table: Tokens.Table }) {
  const cell = "border border-line px-2.5 py-1.5 text-left align-top";
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <div tabIndex={0} className="my-3 overflow-x-auto">
      <table className="border-collapse text-[13px]">
        <thead>
          <tr>
            {table.header.map(({ tokens }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: as above.
              <th key={index} className={`${cell} bg-sunken font-medium`}>
                {each(tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above.
            <tr key={at}>
              {row.map(({ tokens }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: as above.
                <td key={index} className={cell}>
                  {each(tokens)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type Drawing = (token: never) => ReactNode;

/** Headings of an answer are no headings of the page: its outline stays the page's own. */
const DRAWINGS: Readonly<Record<string, Drawing>> = {
  space: () => null,
  def: () => null,
  checkbox: ({ checked }: Tokens.Checkbox) => (checked ? "☑ " : "☐ "),
  heading: ({ tokens, depth }: Tokens.Heading) => (
    <p className={`mt-4 mb-1.5 font-semibold ${depth <= 2 ? "text-base" : ""}`}>{each(tokens)}</p>
  ),
  paragraph: ({ tokens }: Tokens.Paragraph) => <p className="my-2">{each(tokens)}</p>,
  blockquote: ({ tokens }: Tokens.Blockquote) => (
    <blockquote className="my-2 border-l-2 border-line-strong pl-3 text-muted">
      {each(tokens)}
    </blockquote>
  ),
  code: ({ text, lang }: Tokens.Code) => (
    <div className="my-3">
      <CodeBlock label={lang || "text"}>{text}</CodeBlock>
    </div>
  ),
  hr: () => <hr className="my-4 border-line" />,
  list: (list: Tokens.List) => <List list={list} />,
  table: (table: Tokens.Table) => <Table table={table} />,
  strong: ({ tokens }: Tokens.Strong) => <strong className="font-semibold">{each(tokens)}</strong>,
  em: ({ tokens }: Tokens.Em) => <em>{each(tokens)}</em>,
  del: ({ tokens }: Tokens.Del) => <del>{each(tokens)}</del>,
  br: () => <br />,
  codespan: ({ text }: Tokens.Codespan) => (
    <code className="rounded bg-sunken px-1 py-0.5 font-mono text-[13px]">{text}</code>
  ),
  link: ({ href, tokens }: Tokens.Link) => <Anchor href={href}>{each(tokens)}</Anchor>,
  // A picture is not fetched: its address alone could carry away what was said.
  image: ({ href, text }: Tokens.Image) => <Anchor href={href}>{text || href}</Anchor>,
  escape: ({ text }: Tokens.Escape) => text,
  text: (token: Tokens.Text) => (token.tokens ? each(token.tokens) : token.text),
};

/** What has no drawing, HTML above all, is shown as it was written. */
function drawn(token: Token): ReactNode {
  const draw = Object.hasOwn(DRAWINGS, token.type) ? DRAWINGS[token.type] : undefined;
  return draw ? draw(token as never) : token.raw;
}

/** An answer as its model meant it. It becomes elements of ours, never HTML of its own. */
export function Markdown({ text }: { readonly text: string }) {
  return (
    <div className="leading-relaxed break-words first:*:mt-0 last:*:mb-0">
      {each(lexer(text, { gfm: true, breaks: true }))}
    </div>
  );
}
