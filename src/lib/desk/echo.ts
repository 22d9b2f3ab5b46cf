/** Compares the answer of a read with its question: an answer about something else is none. */
import type { Members } from '../contract/core/members.ts'
import { normalId } from '../contract/core/text.ts'
import type { ReadOperation, RequestOf } from '../contract/operation.ts'
import { about, Failure } from '../failure.ts'
import { hint } from '../hint.ts'
import { isRecord } from '../json.ts'

/** A member that names something else. */
interface Contradiction {
  readonly name: string
  readonly told: string
  readonly asked: string
}

const withoutZeros = (number: string) => number.replace(/^0+(?=\d)/, '')

/** Identifiers alike: UUIDs in any case, numbers with zeros before them, texts with blanks around them. */
function isSame(told: string, asked: string): boolean {
  const digits = /^\d+$/
  if (digits.test(told) && digits.test(asked)) return withoutZeros(told) === withoutZeros(asked)
  return normalId(told.trim()) === normalId(asked.trim())
}

/** The first member of an answer that contradicts its request; null where all that it repeats is as it was asked. */
export function contradiction<Op extends ReadOperation>(
  { echoes }: Op,
  request: RequestOf<Op>,
  answer: unknown,
): Contradiction | null {
  if (!isRecord(answer)) return null
  const asked: Members = { ...request }
  const all = Object.entries(echoes).map(([name, field]) => ({
    name,
    told: Object.hasOwn(answer, name) ? (answer[name] ?? null) : null,
    asked: asked[field],
  }))
  const other = all.find(
    ({ told, asked }) => told !== null && asked !== undefined && !isSame(String(told), String(asked)),
  )
  return other ? { name: other.name, told: String(other.told), asked: String(other.asked) } : null
}

/** Throws a Failure, unknown (9), where the answer speaks of something else than was asked for. */
export function mustSpeakOf<Op extends ReadOperation>(operation: Op, request: RequestOf<Op>, answer: unknown): void {
  const other = contradiction(operation, request, answer)
  if (other === null) return
  const { name, told, asked } = other
  throw new Failure('unknown', `the answer speaks of another ${name}, ${told}, not ${asked}; asking moved nothing`, {
    ...{ ...about(operation), moneyMoved: operation.showsPayment ? 'unknown' : 'no' },
    hints: [hint`Ask again later.`],
  })
}
