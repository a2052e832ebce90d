interface Rendered {
  readonly html: string;
  /** Sources as written, in their order. */
  readonly images: readonly { readonly src: string; readonly alt: string }[];
  readonly text: string;
  /** What rendering changed or left out. */
  readonly notes?: readonly { readonly code: string; readonly count: number }[];
}

/** How articles are rendered. It throws `ArticleTooComplex` for what no author writes. */
export interface Renderer {
  render(
    article: {
      readonly format: "markdown" | "html";
      readonly text: string;
      readonly title: string;
    },
    options: { readonly theme?: string | undefined },
  ): Promise<Rendered>;
  renderPlain(text: string, format: "markdown" | "html"): string;
  /** The same HTML with the sources of its images replaced. */
  placeImages(html: string, urls: ReadonlyMap<string, string>): string;
}
