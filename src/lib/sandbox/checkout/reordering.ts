/**
 * Characters that reorder a line, made visible on pages: a name that holds one can make a sum or an account read as another.
 * Done once, on the whole page, so that titles, attributes and free text are all reached; no page holds one of its own.
 */
const reordering = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u206F]/g

/** The page with each of them as its code point: U+202E becomes "<U+202E>", escaped. */
export function withoutReordering(page: string): string {
  return page.replace(reordering, (character) => {
    const point = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
    return `&lt;U+${point}&gt;`
  })
}
