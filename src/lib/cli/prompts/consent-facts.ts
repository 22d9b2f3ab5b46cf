/** Everything of a request that its sum and its payee do not tell, in lines for a person: nothing is sent that was not shown. */
import { fieldsOf } from '../../contract/core/field.ts'
import { accountInWords } from '../../contract/core/iban.ts'
import { isMembers, type Members } from '../../contract/core/members.ts'
import type { WriteOperation } from '../../contract/operation.ts'

const entries = (details: unknown) => (Array.isArray(details) ? details.filter(isMembers) : [])

const isTrue = (value: unknown) => value === 'true'

const byWords: Readonly<Record<string, string>> = {
  SENDER: 'the payer pays the commission',
  RECEIVER: 'the receiver pays the commission',
  BOTH: 'payer and receiver share the commission',
}

/** Shown in the lines about sum and payee, the same for every request of a profile, or told together with another field. */
const toldElsewhere = new Set([
  ...['amount', 'currency', 'description', 'beneficiaryName', 'toIban', 'receiverId', 'receiverType'],
  ...['integratorId', 'identifier'],
  ...['tipReceiverType', 'debtorIban', 'debtorIdentityNumber'],
])

type Words = (value: unknown, request: Members) => string | readonly string[]

/** The words of a field; one that is not in this table is told by its name. */
const words: Readonly<Record<string, Words>> = {
  beneficiaryIdentityNumber: (number) => `identity number ${number}`,
  beneficiaryAddress: (address) => `address ${address}`,
  birthDate: (date) => `born ${date}`,
  fromIban: (account) => `debits ${accountInWords(String(account))}`,
  debtorName: payerInWords,
  uniqueId: (id) => `id  ${id}`,
  integratorOrderId: (id) => `id  ${id}`,
  acquiringCurrency: (currency) => `charges the payer in ${currency}`,
  distributionCurrency: (currency) => `pays the receiver in ${currency}`,
  tipReceiverId: (id, { tipReceiverType: type }) => `a tip goes to ${[type, id].filter(Boolean).join(' ')}`,
  successRedirectUri: (address) => `after success the payer is sent to ${address}`,
  failRedirectUri: (address) => `after failure the payer is sent to ${address}`,
  callbackUri: (address) => `the service calls ${address}`,
  directLinkProvider: (code) => `paid by card at ${code}`,
  openBankingLinkProvider: (code) => `paid by open banking at ${code}`,
  cryptoPaymentProvider: (code) => `paid in cryptocurrency through ${code}`,
  installmentPaymentProvider: (code) => `paid by installments at ${code}`,
  personalNumber: (number) => `personal number of the payer ${number}`,
  isForeign: (value) => `the payer is ${isTrue(value) ? 'a foreign' : 'a Georgian'} citizen`,
  validUntil: (moment) =>
    `may be paid until ${moment}${/[Zz]|[+-]\d{2}:?\d{2}$/.test(String(moment)) ? '' : ' (Tbilisi)'}`,
  language: (code) => `checkout page in ${code}`,
  commissionType: (type) => byWords[String(type)] ?? `commission ${type}`,
  saveCard: (value) => (isTrue(value) ? 'saves the card of the payer' : []),
  subscriptionPlan: planInWords,
  splitDetails: (parts) =>
    entries(parts).map((each) => `split ${each.receiverType} ${each.receiverIdentifier}: ${each.amount}`),
  orderProperties: (properties) => Object.entries(isMembers(properties) ? properties : {}).flatMap(propertyInWords),
  payWithPreAuth: (value) => (isTrue(value) ? 'blocks the amount only; `order complete` takes it' : []),
  refundInitiator: (initiator) => `asked for by the ${String(initiator).toLowerCase()}`,
  refundDetails: (parts) =>
    entries(parts).map((each) => `given back by ${each.receiverType} ${each.receiverIdentifier}: ${each.amount}`),
  finalStatus: (status) => `ends as ${status}`,
}

function payerInWords(_name: unknown, { debtorName, debtorIban, debtorIdentityNumber }: Members): string {
  const payer = [debtorName, debtorIban && accountInWords(String(debtorIban)), debtorIdentityNumber].filter(Boolean)
  return `names the payer to the bank: ${payer.join(', ')}`
}

/** Its price is the sum that is agreed to. */
function planInWords(plan: unknown): readonly string[] {
  if (!isMembers(plan)) return []
  const { startDate, callbackUrl } = plan
  return [
    `for the first time ${startDate === undefined ? 'at once' : `on ${startDate}`}`,
    ...(callbackUrl === undefined ? [] : [`the service calls ${callbackUrl} about each charge`]),
  ]
}

function propertyInWords([key, property]: readonly [string, unknown]): readonly string[] {
  if (!isMembers(property)) return []
  return [`${key} ${property.value}${isTrue(property.isEditable) ? ' (the payer may change it)' : ''}`]
}

/** Lines for a person; none where the request has nothing of it. A card token is told by who charges it. */
export function consentFacts({ request: contract, moves }: WriteOperation, request: Members): readonly string[] {
  const { payee } = moves(request)
  const { debtorName, debtorIban, debtorIdentityNumber } = request
  const payer = debtorName ?? debtorIban ?? debtorIdentityNumber
  const told: Members = payer === undefined ? request : { ...request, debtorName: debtorName ?? '' }
  return fieldsOf(contract)
    .filter(({ name, secret }) => told[name] !== undefined && !secret && !toldElsewhere.has(name))
    .filter(({ name }) => !payee.includes(String(told[name])) || told[name] === '')
    .flatMap(({ name }) => words[name]?.(told[name], told) ?? `${name} ${told[name]}`)
}
