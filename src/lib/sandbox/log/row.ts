/** One exchange as it is kept: the payload in the clear, its secrets masked, and never longer than a page. */
import { withoutSecrets } from '../../contract/mask.ts'
import type { NamedKey } from '../../envelope/envelope.ts'
import { readMessage, writeJson } from '../../json.ts'
import type { NewRequest } from '../../store/sandbox/schema.ts'
import type { Exchange } from './exchange.ts'
import { type Outline, outlineOf, sealedOtherwise } from './outline.ts'
import { verdictOf } from './verdict.ts'

/** Longer texts are cut: 5,000 of them must fit. */
const longestText = 20_000
const longestLine = 500

function line(text: string): string {
  return text.length > longestLine ? `${text.slice(0, longestLine)}…` : text
}

/** A value as JSON text; of one that is too long its beginning, as a JSON text. */
function kept(value: unknown): string {
  const text = writeJson(withoutSecrets(value))
  return text.length > longestText ? writeJson(`${text.slice(0, longestText)}…`) : text
}

function keptText(text: string | null): string | null {
  if (text === null) return null
  try {
    return kept(readMessage(text))
  } catch {
    return null
  }
}

/** The request in the clear; null where it could not be read. */
function plainOf({ operation, facts, asked }: Exchange): string | null {
  if (operation?.wire === 'sealed' || operation?.wire === 'wallet')
    return facts.opened ? kept(facts.opened.payload) : null
  if (asked.body !== null) return keptText(asked.body)
  return asked.query.length > 0 ? kept(Object.fromEntries(asked.query)) : null
}

/** The answer, before it was sealed. */
function answerOf({ operation, facts, decision }: Exchange): string | null {
  const { outcome } = facts
  if (outcome?.kind !== 'value') return keptText(decision?.body ?? null)
  return kept(operation?.wrapped ? { value: outcome.value } : outcome.value)
}

function outlineText(outline: Outline | null): string | null {
  return outline && kept({ ...outline, identifier: outline.identifier && line(outline.identifier) })
}

/** The cause of a refusal that says little by itself. */
function causeOf({ facts }: Exchange, outline: Outline | null): string {
  if (facts.cause) return `: ${line(facts.cause)}`
  const { used = null, setting } = facts.unopened ?? {}
  if (used !== null && setting !== undefined) return `: ${sealedOtherwise(used, setting)}`
  if (outline?.sealedTo)
    return `: it is sealed to ${outline.sealedTo}, and the servicePublicKey of \`sandbox world\` is meant`
  return outline?.step ? `: the envelope does not open, at the step ${outline.step}` : ''
}

export async function rowOf(exchange: Exchange, keys: () => Promise<readonly NamedKey[]>): Promise<NewRequest> {
  const { time, milliseconds, asked, operation, facts, http, fault } = exchange
  const { words, code, rule } = verdictOf(exchange)
  const outline = await outlineOf(operation, asked, facts, keys)
  const who = facts.who === undefined || facts.who === null ? null : line(String(facts.who))
  return {
    ...{ time, milliseconds, http, code },
    method: line(asked.method),
    path: line(asked.path),
    operation: operation?.name ?? null,
    identifier: who,
    plain: plainOf(exchange),
    outline: outlineText(outline),
    verdict: `${words}${causeOf(exchange, outline)}`,
    rule: rule === null ? null : line(rule),
    answer: answerOf(exchange),
    remarks: writeJson((facts.remarks ?? []).map(line)),
    fault: fault && `${fault.kind} ${fault.at}`,
  }
}
