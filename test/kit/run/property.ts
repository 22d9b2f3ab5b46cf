/** Properties of what a check accepts, which prove nothing where it accepts none of their inputs. */
import fc from 'fast-check'
import { expect } from 'vitest'

/** A property that holds for every text, accepted or not; both kinds must come up. */
export function assertOfBoth(
  texts: fc.Arbitrary<string>,
  isAccepted: (text: string) => boolean,
  holds: (text: string, accepted: boolean) => void,
): void {
  const seen = { accepted: 0, refused: 0 }
  const property = fc.property(texts, (text) => {
    const accepted = isAccepted(text)
    seen[accepted ? 'accepted' : 'refused'] += 1
    holds(text, accepted)
  })
  fc.assert(property, { numRuns: 1000 })
  expect(seen.accepted, 'texts that were accepted').toBeGreaterThan(100)
  expect(seen.refused, 'texts that were refused').toBeGreaterThan(100)
}

/** Texts with one letter put in, taken away or in the place of another. */
function damaged(texts: fc.Arbitrary<string>, letters: string): fc.Arbitrary<string> {
  const place = fc.double({ min: 0, max: 1, noNaN: true })
  return fc
    .tuple(texts, place, fc.constantFrom(0, 1), fc.constantFrom('', ...letters))
    .map(([text, where, gone, put]) => {
      const at = Math.floor(where * text.length)
      return text.slice(0, at) + put + text.slice(at + gone)
    })
}

/** Right ones, some of them damaged, texts of the same letters, and texts of any kind. */
export function around(right: fc.Arbitrary<string>, letters: string, longest: number): fc.Arbitrary<string> {
  const nearly = fc.string({ unit: fc.constantFrom(...letters), maxLength: longest })
  return fc.oneof(right, damaged(right, letters), nearly, fc.string({ unit: 'binary' }))
}
