/** Judges the card form as a bank would: the number of a test card, its own date, a code of its length. */
import { type TestCard, testCards } from '../../cards/test-card.ts'
import type { EntryComplaint } from './complaint.ts'

/** The number of digits in the security code of a card. */
export function codeLength({ cardBrand }: TestCard): number {
  return cardBrand === 'AMEX' ? 4 : 3
}

/** A date as people type it: 1/29, 01 29, 01/2029. Null where it is none. */
function readExpiry(typed: string): string | null {
  const [, month = '', year = ''] = /^(0?[1-9]|1[0-2])\s*(?:[/.-]\s*)?(?:20)?(\d{2})$/.exec(typed.trim()) ?? []
  return month === '' ? null : `${month.padStart(2, '0')}/${year}`
}

export function cardTyped(typed: URLSearchParams): TestCard | null {
  const number = (typed.get('number') ?? '').replace(/[\s-]/g, '')
  return testCards.find((card) => card.number === number) ?? null
}

export function judgeCard(typed: URLSearchParams): TestCard | readonly EntryComplaint[] {
  const card = cardTyped(typed)
  const expiry = readExpiry(typed.get('expiry') ?? '')
  const code = (typed.get('cvv') ?? '').trim()
  const complaints: EntryComplaint[] = []
  if (!card) complaints.push({ field: 'number', text: 'wrongNumber' })
  if (expiry === null) complaints.push({ field: 'expiry', text: 'wrongExpiry' })
  else if (card && expiry !== card.expirationDate) {
    complaints.push({ field: 'expiry', text: 'otherExpiry', values: { date: card.expirationDate } })
  }
  const length = card ? codeLength(card) : null
  if (!/^\d{3,4}$/.test(code) || (length !== null && code.length !== length)) {
    complaints.push({ field: 'cvv', text: 'wrongCvv', values: { n: length === null ? '3–4' : String(length) } })
  }
  return card && complaints.length === 0 ? card : complaints
}
