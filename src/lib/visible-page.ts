/** Characters that reorder or hide text, made visible on a page: a name must not repaint the sum or the account beside it. */

const hidden = /[\p{Cf}\u2028\u2029]/gu

/** The whole page with each of them as its code point: U+202E becomes "<U+202E>", escaped. No page holds one of its own. */
export function visiblePage(page: string): string {
  return page.replace(hidden, (character) => {
    const point = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    return `&lt;U+${point}&gt;`
  })
}
