/**
 * The journal of a command that may be ended at any moment: it knows which intents the command has to do with and how they
 * stand, so that the last words of a process are true without another look at the disk.
 */
import { hint, paste } from '../hint.ts'
import { nothingSentNow, type StoppedFacts } from '../signals.ts'
import { type Draft, factsOf, type Intent } from './intent.ts'
import { Journal } from './journal.ts'

export class WatchedJournal extends Journal {
  /** In the order in which they were met. */
  readonly #met = new Map<string, Intent>()
  /** The intent that this command sends or resolves. */
  #own: string | null = null
  readonly #opening = new Set<Draft>()

  override async look(...given: Parameters<Journal['look']>) {
    const opening = await super.look(...given)
    if (opening.kind === 'done') this.#take(opening.intent)
    else if (opening.unresolved) this.#take(opening.unresolved)
    else if (opening.conflict) this.#take(opening.conflict)
    return opening
  }

  override async begin(...given: Parameters<Journal['begin']>): ReturnType<Journal['begin']> {
    const [draft] = given
    this.#opening.add(draft)
    try {
      const begun = await super.begin(...given)
      this.#take(begun.intent)
      return begun
    } finally {
      this.#opening.delete(draft)
    }
  }

  override async again(...given: Parameters<Journal['again']>): ReturnType<Journal['again']> {
    const again = await super.again(...given)
    this.#take(again.intent)
    return again
  }

  override async hold(...given: Parameters<Journal['hold']>): ReturnType<Journal['hold']> {
    const held = await super.hold(...given)
    if (held) this.#take(held.intent)
    return held
  }

  override async finish(...given: Parameters<Journal['finish']>): Promise<Intent> {
    return this.#take(await super.finish(...given))
  }

  override async close(...given: Parameters<Journal['close']>): Promise<Intent> {
    return this.#take(await super.close(...given))
  }

  override async list(...given: Parameters<Journal['list']>): Promise<Intent[]> {
    const intents = await super.list(...given)
    const [{ named, mayName, states }] = given
    // Only intents that were listed by name or because they are open; others are read beside the matter.
    if (named !== undefined || mayName !== undefined || states)
      for (const intent of intents) this.#met.set(intent.journalId, intent)
    return intents
  }

  /**
   * The last words about money at this moment; null where no intent is in play. `isAboutEarlier`: the command names a payment that
   * another run may have sent.
   */
  standing(isAboutEarlier: boolean): StoppedFacts | null {
    const own = this.#own === null ? undefined : this.#met.get(this.#own)
    const open = [...this.#met.values()].filter(({ state }) => state === 'unknown')
    const [first] = own?.state === 'unknown' ? [own] : open
    if (first) return unknown(first, open.length)
    // Of several the one that moved money, or may have, whichever came last.
    const moved = [...this.#met.values()].filter((intent) => !isNotExecuted(intent))
    const ended = own && !isNotExecuted(own) ? own : (moved[0] ?? own)
    if (ended) return known(ended)
    if (this.#opening.size === 0) return null
    const isNew = !isAboutEarlier && [...this.#opening].every(({ businessKey }) => businessKey === null)
    return isNew ? opening : { ...opening, said: nothingSentNow.said, moneyMoved: 'unknown' }
  }

  #take(intent: Intent): Intent {
    this.#met.set(intent.journalId, intent)
    this.#own = intent.journalId
    return intent
  }
}

function unknown(intent: Intent, count: number): StoppedFacts {
  const more = count > 1 ? [hint`Of ${count} that are unknown this is one: \`${paste('resume', '--all')}\`.`] : []
  return {
    ...{ said: 'stopped; the payment is unknown', moneyMoved: 'unknown', retry: 'same-id' },
    ...factsOf(intent),
    hints: [hint`${paste('resume', intent.journalId)}`, ...more],
  }
}

/** True for one that was not executed, as far as this journal knows. */
function isNotExecuted({ state, isTaken }: Intent): boolean {
  return state !== 'accepted' && state !== 'exists' && !isTaken
}

function known(intent: Intent): StoppedFacts {
  const isOver = isNotExecuted(intent)
  return {
    said: isOver ? 'stopped; nothing was executed' : 'stopped; the service has it already',
    ...factsOf(intent),
    moneyMoved: isOver ? 'no' : 'unknown',
    retry: isOver ? 'same-id' : 'never',
    hints: [hint`${paste('journal show', intent.journalId)}`],
  }
}

/** The commit that opens an intent may be through or not; the connection that follows it was never opened. */
const opening: StoppedFacts = {
  ...{ said: 'stopped while the journal was written, before anything was sent', moneyMoved: 'no', retry: 'same-id' },
  hints: [hint`Where \`${paste('journal list')}\` shows it as unknown, \`${paste('resume')}\` resolves it.`],
}
