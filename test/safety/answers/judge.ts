/** Compares the end of a command with the required one. */
import type { Circumstances, Expected, Step } from './expected.ts'

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Seen {
  readonly exit: number | null
  readonly moneyMoved: unknown
  /** Of the journal, after the first command. */
  readonly state: string | null
  readonly executed: number
  /** The document on stdout, where it ended with 0. */
  readonly receipt: Readonly<Record<string, unknown>>
  /** The message, or the beginning of the receipt. */
  readonly words: string
}

function errorIn(stderr: string): Readonly<Record<string, unknown>> {
  return stderr.startsWith('{') ? (JSON.parse(stderr) as { error: Record<string, unknown> }).error : {}
}

export function look(ended: Ended, state: string | null, executed: number): Seen {
  const error = errorIn(ended.stderr)
  const words = String(error.message ?? (ended.stdout.slice(0, 120) || ended.stderr.slice(0, 200)))
  return {
    exit: ended.code,
    moneyMoved: error.moneyMoved ?? null,
    state,
    executed,
    receipt: ended.code === 0 ? (JSON.parse(ended.stdout) as Record<string, unknown>) : {},
    words: words.replace(/\s+/g, ' '),
  }
}

/** Null, or that it was executed more than once. */
export function twice({ executed }: Pick<Seen, 'executed'>): string | null {
  return executed > 1 ? `at most 1 execution, seen ${executed}` : null
}

/** The required members of a receipt where the id alone resolved the write, and where nothing was sent again. */
function judgeReceipt({ receipt }: Seen, step: Step, { write, meaning, afterLost }: Circumstances): readonly string[] {
  const must = (name: string, value: unknown) =>
    receipt[name] === value ? [] : [`${name} ${value}, seen ${receipt[name]}`]
  // A taken id proves the payout, not its sum.
  if (write.name === 'payout create' && receipt.outcome === 'exists') return must('sumConfirmed', false)
  const isRecorded = step === 'again' && meaning.kind === 'done' && !afterLost
  return isRecorded && (write.name === 'payout create' || write.name === 'order refund') ? must('replayed', true) : []
}

/** Null if it is as it must be. */
export function judge(expected: Expected, seen: Seen, step: Step, of: Circumstances): string | null {
  const wrong: (string | null)[] = [twice(seen)]
  const differ = (what: string, must: unknown, is: unknown) => wrong.push(`${what} ${must}, seen ${is}`)
  if (!expected.exit.some((exit) => exit === seen.exit)) differ('exit', expected.exit.join(' or '), seen.exit)
  const { moneyMoved, state } = expected
  if (moneyMoved !== undefined && seen.moneyMoved !== moneyMoved) differ('moneyMoved', moneyMoved, seen.moneyMoved)
  if (step === 'first' && state !== undefined && seen.state !== state) differ('state', state, seen.state)
  if (seen.exit === 0 && seen.executed === 0) wrong.push('no "done", seen it without an execution')
  // A service that executes and says 401 lies: by HTTP that was not applied.
  const isLie = of.meaning.kind === 'turned-away' && of.executed && !of.afterLost
  // The money of a payment that ended unpaid came back.
  const isBack = of.meaning.kind === 'ended'
  if (seen.moneyMoved === 'no' && seen.executed > 0 && !isLie && !isBack)
    wrong.push('no "no", seen it after an execution')
  wrong.push(...judgeReceipt(seen, step, of))
  const said = wrong.filter((each) => each !== null)
  return said.length === 0 ? null : said.join('; ')
}
