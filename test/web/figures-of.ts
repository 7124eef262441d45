/** The machine-readable figures in a part of a page: the values of `<data>`. */
export const figuresOf = (html: string): number[] =>
  [...html.matchAll(/<data value="([^"]*)"/g)].map(([, value]) => Number(value))
