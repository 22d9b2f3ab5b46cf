/** Refusals that say "not any more", with what a read shows the thing to be. */
import type { WriteOperation } from '../../contract/operation.ts'
import { Failure, type ServiceWords } from '../../failure.ts'
import { filledIn, hint } from '../../hint.ts'
import { factsOf, type Intent } from '../../journal/intent.ts'
import type { ShownBeside } from '../../journal/verdict.ts'
import { isRecord, readJson } from '../../json.ts'

function inWords({ evidence }: WriteOperation, { statusCode }: ServiceWords, status: string): string {
  const means = evidence?.by.statuses?.(status)?.means
  const who = statusCode === null ? 'nothing was sent' : `the service refused (${statusCode})`
  return `${who}: the order is ${status}${means ? ` (${means})` : ''}`
}

/** The refusal (5): the status leaves no way for the write, and does not show it either. */
export function impossibleNow(operation: WriteOperation, intent: Intent, words: ServiceWords, status: string): Failure {
  const refusals = operation.evidence?.refusals
  const step = refusals?.next[status]
  const request = readJson(intent.body)
  const message = `${inWords(operation, words, status)} and cannot be ${refusals?.done}`
  return new Failure('refused', message, {
    ...factsOf(intent),
    service: words.http === null ? null : words,
    status,
    retry: 'after-fix',
    hints: step === undefined || !isRecord(request) ? [] : [filledIn(step, request)],
  })
}

/** The conflict (7): the status shows what was asked for. It was this very request, sent twice on its way, or another one. */
export function doneAlready(
  operation: WriteOperation,
  intent: Intent,
  words: ServiceWords,
  { status }: ShownBeside,
): Failure {
  const message = `${inWords(operation, words, status)}, by this request, sent twice on its way, or by another one`
  return new Failure('duplicate', message, {
    ...factsOf(intent),
    service: words,
    status,
    moneyMoved: 'unknown',
    retry: 'never',
    hints: [hint`Look at the service which request it was. Nothing is left to be done by this one.`],
  })
}
