/**
 * Text of other people, made harmless for a terminal: escape sequences, carriage returns and bidirectional controls can
 * repaint a line that a person pays by. Done once, where text is rendered; JSON keeps the exact characters.
 */

// Controls, and the format characters that reorder or hide text.
const dangerous = /[\p{Cc}\p{Cf}\u2028\u2029]/gu

/** The text on one line, every dangerous character shown as its code point: "a\rb" → "a<U+000D>b". */
export function clean(text: string): string {
  return text.replace(dangerous, (character) => {
    const point = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    return `<U+${point}>`
  })
}

/** A text of several lines, each of them made harmless. */
export function cleanLines(text: string): string {
  return text.split('\n').map(clean).join('\n')
}
