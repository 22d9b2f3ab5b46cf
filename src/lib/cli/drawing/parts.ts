/** Parts of one line of a terminal. A part stands whole or not at all: half a number is another number. */
import { screenWidth } from './words.ts'

/** A part with its weight, in the order in which they are read. */
export type LinePart = readonly [weight: number, text: string]

const inLine = (parts: readonly LinePart[]) => parts.map(([, text]) => text).join(' ')

/** A line of at most so many columns: the least weighty parts are left out, the weightiest never. Empty ones are none. */
export function fittingParts(parts: readonly LinePart[], columns: number): string {
  let left = parts.filter(([, text]) => text !== '')
  while (left.length > 1 && screenWidth(inLine(left)) > columns) {
    const least = Math.min(...left.map(([weight]) => weight))
    left = left.filter(([weight]) => weight !== least)
  }
  return inLine(left)
}

/** The beginning of a text that so many columns hold. */
export function cutToWidth(text: string, columns: number): string {
  if (screenWidth(text) <= columns) return text
  let cut = ''
  for (const character of text) {
    if (screenWidth(cut + character) > columns) break
    cut += character
  }
  return cut
}
