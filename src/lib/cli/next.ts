/** The command that usually follows a success, for a person at a terminal: one table for all commands. */
import type { Members } from '../contract/core/members.ts'
import { orderEnd } from '../contract/order/status.ts'
import { payoutEnd } from '../contract/payout/status.ts'
import { blank, hint, hintInWords, type PastedLine, paste } from '../hint.ts'
import { isRecord } from '../json.ts'
import type { Invocation } from './invocation.ts'
import { warningsIn } from './output/output.ts'

type Next = (result: Members) => PastedLine | null

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)

const ofPayout: Next = ({ status, journalId, transactionId, idUnknown }) => {
  const [known, id] = [text(journalId), text(journalId) ?? text(transactionId)]
  const end = payoutEnd(text(status) ?? '')
  if (id === null || idUnknown === true) return null
  if (end === null) return paste('payout wait', id)
  return end === 'paid' && known !== null ? paste('payout receipt', known) : null
}

const ofOrder: Next = ({ status, integratorOrderId }) =>
  orderEnd(text(status) ?? '') === null ? paste('order wait', String(integratorOrderId)) : null

const orderAgain: Next = ({ integratorOrderId }) => paste('order status', String(integratorOrderId))

const walletAgain: Next = ({ uniqueId }) => paste('wallet details', String(uniqueId))

const ofApproval: Next = ({ state, subject, id, approvalId }) => {
  if (state === 'waiting') return paste('approval show', String(approvalId))
  if (state !== 'approved') return null
  return subject === 'plan' ? paste('batch run', String(id)) : paste('resume', String(id))
}

const ofRun: Next = ({ planId, planned, sending }) =>
  Number(planned) + Number(sending) > 0 ? paste('batch status', String(planId)) : paste('batch wait', String(planId))

const checkIt: Next = ({ name }) => ({ ...paste('profile check'), profile: text(name) })

const following: Readonly<Record<string, Next>> = {
  'payout:create': ofPayout,
  'payout:get': ofPayout,
  'payout:wait': ofPayout,
  'payout:reconcile': ofPayout,
  'payout:receipt': ({ standing, reference }) =>
    standing === 'accepted' ? paste('payout receipt', String(reference), '--refresh') : null,
  'order:create': ofOrder,
  'order:status': ofOrder,
  'order:cancel': orderAgain,
  'order:refund': orderAgain,
  'order:complete': ofOrder,
  'card:get': ({ integratorOrderId }) => paste('order create', '--card-from-order', String(integratorOrderId)),
  'subscription:revoke': ({ subscriptionId }) => paste('subscription history', String(subscriptionId)),
  'user:register': ({ userId }) =>
    text(userId) === null ? null : paste('payout create', '--receiver-type', 'USER', '--receiver-id', String(userId)),
  'wallet:create': ({ uniqueId, secondsLeft }) =>
    Number(secondsLeft) > 0 ? paste('wallet finalize', String(uniqueId)) : null,
  'wallet:finalize': walletAgain,
  'wallet:cancel': walletAgain,
  'batch:check': ({ file, suggestedMap }) => (suggestedMap === undefined ? paste('batch plan', String(file)) : null),
  'batch:run': ofRun,
  'batch:resume': ofRun,
  'batch:wait': ({ planId }) => paste('batch results', String(planId), '--dir', blank('<folder>')),
  'callback:listen': ({ url }) => paste('order create', '--callback-uri', String(url)),
  'profile:add': checkIt,
  'profile:use': checkIt,
  'payee:add': ({ payeeId }) => paste('payout create', '--payee', String(payeeId)),
  'approval:request': ofApproval,
  'approval:approve': ofApproval,
  'key:generate': ({ privateKeyFile }) =>
    paste('profile add', blank('<name>'), '--private-key', String(privateKeyFile)),
  'sandbox:reset': () => paste('sandbox world'),
  'sandbox:sample': ({ file }) => paste('batch check', String(file)),
  'sandbox:fault:add': () => paste('sandbox fault list'),
  resume: (result) => (result.operation === undefined ? ofPayout(result) : null),
}

/** Null where nothing usually follows, where a warning names a command already, and for a dry run. */
export function nextAfter(id: string, result: unknown): PastedLine | null {
  if (!isRecord(result) || 'dryRun' in result) return null
  if (warningsIn(result).some((warning) => warning.includes('`paydesk '))) return null
  const line = following[id]?.(result) ?? null
  return line && { ...line, profile: line.profile ?? text(result.profile) }
}

export function sayNext({ edge, output, naming }: Invocation, line: PastedLine | null): void {
  if (line === null || !output.isForPerson || !edge.stderr.isTTY) return
  // Drawn, not said: it is never broken, so that it can be pasted.
  output.show([{ kind: 'text', text: `next: ${hintInWords(hint`${line}`, naming)}` }])
}
