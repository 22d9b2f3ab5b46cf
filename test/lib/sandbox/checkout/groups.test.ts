import fc from 'fast-check'
import { expect, test } from 'vitest'
import { testCards } from '../../../../src/lib/sandbox/areas/cards.ts'
import { cardTyped, judgeCard } from '../../../../src/lib/sandbox/checkout/entries.ts'
import { addSlash, groupDigits } from '../../../../src/lib/sandbox/checkout/groups.ts'

const digits = fc.stringMatching(/^\d{0,24}$/)

test('no digit is lost or moved, and what stands in its form stays as it is', () => {
  fc.assert(
    fc.property(digits, (typed) => {
      expect(groupDigits(typed).replaceAll(' ', '')).toBe(typed)
      expect(groupDigits(groupDigits(typed))).toBe(groupDigits(typed))
      expect(addSlash(addSlash(typed))).toBe(addSlash(typed))
      expect(
        addSlash(typed)
          .replace('/', '')
          .replace(/^0(?=[2-9])/, ''),
      ).toBe(typed.replace(/^0(?=[2-9])/, ''))
    }),
  )
})

test('every test card is known in its groups, with its date as it is typed', () => {
  for (const card of testCards) {
    const typed = { number: groupDigits(card.number), expiry: addSlash(card.expirationDate.replace('/', '')) }
    const cvv = card.cardBrand === 'AMEX' ? '1234' : '123'
    expect(cardTyped(new URLSearchParams(typed))).toBe(card)
    expect(judgeCard(new URLSearchParams({ ...typed, cvv }))).toBe(card)
  }
})
