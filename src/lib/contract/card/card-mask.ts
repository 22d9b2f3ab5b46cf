/**
 * The masked number of a card: at most its first six and its last four digits, asterisks or the like between them
 * (specification, saved card). A text that shows more is a card number, or something that nobody expects there: it is hidden.
 */
import { mask } from '../mask.ts'

const masked = /^\d{0,6}[*xX•·#]+\d{0,4}$/

function isCardMask(text: string): boolean {
  return masked.test(text.replaceAll(/[ -]/g, ''))
}

/** A mask as it came; other texts hidden. */
export function shownCardMask(text: string | null): string | null {
  return text === null || isCardMask(text) ? text : mask
}
