/** An intent as the journal keeps it, for tests that only look at one: `intent({ state: 'accepted' })`. */
import type { Intent } from '../../src/lib/journal/intent.ts'

const plain: Intent = {
  journalId: 'j-1',
  operation: 'payout.create',
  profile: 'acme',
  environment: 'live',
  service: 'https://service.example',
  serviceId: 'https://service.example',
  clientId: 'c',
  uniqueId: 'id',
  businessKey: null,
  body: '{}',
  bodyDigest: 'd',
  payee: 'p',
  amountMinor: null,
  currency: null,
  state: 'unknown',
  transactionId: null,
  status: null,
  statusDescription: null,
  createdAt: null,
  answer: null,
  because: null,
  operatorWord: null,
  openedAt: '2026-11-20T06:00:00.000Z',
  changedAt: '2026-11-20T06:00:01.000Z',
  holder: null,
  heldUntil: null,
  heldUntilSteady: null,
  sumConfirmed: null,
  otherSum: null,
  disputed: null,
  answeredSum: null,
  isTaken: false,
  removedAt: null,
}

export function intent(members: Partial<Intent>): Intent {
  return { ...plain, ...members }
}
