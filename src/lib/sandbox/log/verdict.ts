/** The verdict about a request, in words, and its rule: from the facts recorded on its way. */

import type { HttpAnswer } from '../../http/message.ts'
import { isRecord, readJson } from '../../json.ts'
import type { HandlerOutcome, Refusal } from '../shape.ts'
import type { Exchange } from './exchange.ts'
import { ruleOfCode } from './rule.ts'

export interface RequestVerdict {
  readonly words: string
  readonly code: number | null
  readonly rule: string | null
}

type ValueOutcome = Extract<HandlerOutcome, { kind: 'value' }>

/** The first words of the verdict on a refusal that is no error. */
export const notExecuted = 'not executed'

function ofValue({ operation }: Exchange, { value, executed }: ValueOutcome): RequestVerdict {
  // A recorded answer may stand inside `value`.
  const told = isRecord(value) && isRecord(value.value) ? value.value : value
  const status = isRecord(told) && typeof told.status === 'string' ? told.status : null
  const done = executed === false ? notExecuted : operation?.effect === 'write' ? 'accepted' : 'answered'
  const words = status === null ? done : `${done}: ${status}`
  return {
    words,
    code: null,
    rule: executed === undefined || operation?.area !== 'C' ? null : `wallet table: ${status}`,
  }
}

function ofRefusal({ operation }: Exchange, { code, message, rule }: Refusal): RequestVerdict {
  return { words: message, code, rule: rule ?? (operation ? ruleOfCode(operation, code) : null) }
}

/** The verdict in an answer itself, where nothing was recorded: no such path, a body that is too large, a failure. */
function ofAnswer({ body }: HttpAnswer): RequestVerdict {
  let said: unknown
  try {
    said = readJson(body)
  } catch {
    said = null
  }
  const { message, statusCode } = isRecord(said) ? said : {}
  const code = statusCode === undefined || statusCode === null ? null : Number(String(statusCode))
  return { words: typeof message === 'string' ? message : 'answered', code, rule: null }
}

function decided(exchange: Exchange): RequestVerdict {
  const { facts, decision } = exchange
  const { outcome } = facts
  if (outcome?.kind === 'value') return ofValue(exchange, outcome)
  if (outcome?.kind === 'refused') return ofRefusal(exchange, outcome.refusal)
  if (outcome?.kind === 'unauthenticated') {
    const rule = 'Authentication, Errors: a missing or wrong token is 5021'
    return { words: 'no access token, or one that is wrong or expired', code: 5021, rule }
  }
  if (decision) return ofAnswer(decision)
  return { words: 'the client went away before it had sent everything', code: null, rule: null }
}

export function verdictOf(exchange: Exchange): RequestVerdict {
  if (exchange.fault?.at === 'before' && exchange.decision === null) {
    return { words: 'never seen: the fault struck before the service', code: null, rule: null }
  }
  return decided(exchange)
}
