/** The reason why an intent stands as it does, in words that stand alone, and the columns that hold them. */
import type { IntentRow } from '../../store/journal/schema.ts'
import type { State, Verdict } from '../verdict.ts'

/** States in which nothing was executed from here, in words. */
export const endInWords = {
  refused: 'the service refused it',
  unsent: 'not a byte of it left',
  'turned-away': 'it was turned away before the service looked at it',
  held: 'it was never sent from here',
} as const

/** The reason why an intent was closed without a payout of this journal, in words that stand alone. */
export function reasonInWords(state: State, verdict: Verdict): string | null {
  if (verdict.kind === 'duplicate' && state !== 'exists') {
    return verdict.shown
      ? `the service refused it, but ${verdict.shown.because}: done by this request, sent twice on its way, or by another one`
      : 'the service has this id already: from another machine, or from this very request, sent twice on its way'
  }
  if (verdict.kind === 'duplicate' && verdict.shown) return `it refuses, but ${verdict.shown.because}`
  if (verdict.kind === 'unknown' && verdict.otherSum) return otherInWords(verdict.otherSum)
  if (verdict.kind === 'refused' && state === 'refused') return endInWords.refused
  return state === 'turned-away' || state === 'unsent' ? endInWords[state] : null
}

/** `told`: what differs, as the contract tells it: the name of each member and its values. */
function otherInWords(told: string): string {
  const isOfSum = told.split('; ').every((each) => /^(?:amount|currency|initialCurrency) is /.test(each))
  return `the answer tells of another sum${isOfSum ? '' : ' or beneficiary'}: ${told}`
}

/** A reason, or the operator's word in its place, as columns. */
export function reason(words: string | null, byOperator = false): Pick<IntentRow, 'because' | 'operator_word'> {
  return byOperator ? { because: null, operator_word: words } : { because: words, operator_word: null }
}
