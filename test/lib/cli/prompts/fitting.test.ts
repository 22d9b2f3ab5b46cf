import { describe, expect, test } from 'vitest'
import { fittingQuestion, fittingWords } from '../../../../src/lib/cli/prompts/fitting.ts'

describe('a question at 40 columns', () => {
  test.each([
    ['How much is to be paid?', 'How much is to be paid?'],
    ['To which IBAN? (Enter to leave out, < goes back)', 'To which IBAN? (Enter to leave out, <\ngoes back)'],
    ['Send it? (send, mend or cancel)', 'Send it? (send, mend or\ncancel)'],
  ])('is broken between words, and leaves room for its answer: %s', (message, drawn) => {
    expect(fittingQuestion(message, 40)).toBe(drawn)
  })

  test('keeps the labels of a payment, what goes on behind them', () => {
    const lines = [
      'Pay GEL 12.50',
      'to  ნინო ბერიძე, GE29 NB00 0000 0101 9049 17',
      '    NEW: the first payment',
      'Send it?',
    ]
    expect(fittingQuestion(lines.join('\n'), 40)).toBe(
      [
        'Pay GEL 12.50',
        'to  ნინო ბერიძე, GE29 NB00 0000 0101',
        '    9049 17',
        '    NEW: the first payment',
        'Send it?',
      ].join('\n'),
    )
  })

  test('stays as it is where nobody knows the columns', () => {
    const long = 'a question '.repeat(20)
    expect(fittingQuestion(long, undefined)).toBe(long)
    expect(fittingWords(long, undefined)).toBe(long)
    expect(fittingWords('It must be a plain decimal number.', 22)).toBe('It must be a plain\ndecimal number.')
  })
})
