/**
 * The story of one pair: the command meets the answer, meets it again, is resumed and repeated when the service has
 * come to its senses.
 */
import { rmSync } from 'node:fs'
import type { Answer } from './answer.ts'
import { type Circumstances, executions, expectedOf, isConflict, isRepeated, type Step } from './expected.ts'
import { homeFor, profile } from './home.ts'
import { type Ended, judge, look, twice } from './judge.ts'
import { meaningOf } from './meaning.ts'
import type { Program } from './program.ts'
import { type Conduct, HostileService } from './service.ts'
import type { Write } from './writes.ts'

interface Newest {
  readonly journalId: string | null
  readonly state: string | null
}

class Story {
  readonly #service: HostileService
  readonly #program: Program
  readonly #home: string
  readonly #answer: Answer
  readonly #of: Circumstances
  /** The journal after the first command. */
  #newest: Newest = { journalId: null, state: null }

  constructor(service: HostileService, program: Program, home: string, answer: Answer, of: Circumstances) {
    this.#service = service
    this.#program = program
    this.#home = home
    this.#answer = answer
    this.#of = of
  }

  /** A line for each command that did not end as it must. */
  async tell(): Promise<readonly string[]> {
    const lines: string[] = []
    let isAstray = false
    for (const step of this.#program.steps) {
      if (step === 'lost' && !isConflict(this.#of)) continue
      if (step === 'late' && !expectedOf('resume', this.#of).exit.includes(9)) continue
      await this.#prepare(step)
      const ended = await this.#command(step)
      if (ended === null) continue
      if (step === 'first') this.#newest = await this.#readNewest()
      const seen = look(ended, this.#newest.state, this.#service.executed)
      // After a command that went astray no exit code is promised; that nothing is executed twice is.
      const wrong: string | null = isAstray ? twice(seen) : judge(expectedOf(step, this.#of), seen, step, this.#of)
      if (wrong !== null) lines.push(`${this.#title} | ${step} | expected ${wrong} | ${seen.words}`)
      if (isAstray && wrong !== null) return lines
      isAstray ||= wrong !== null
    }
    return lines
  }

  get #title(): string {
    const { write, executed, afterLost } = this.#of
    const told = afterLost ? `a lost answer, then ${this.#answer.name}` : this.#answer.name
    return `${told} × ${write.name} | ${executed ? 'executed' : 'not executed'}`
  }

  async #prepare(step: Step): Promise<void> {
    const { executed, afterLost, meaning } = this.#of
    const { say } = this.#answer
    const nothingListens = say === 'refused' && !afterLost
    if (nothingListens && step === 'first') await this.#service.close()
    if (nothingListens && step === 'resume') await this.#service.listen()
    // A refusal that only says "not any more" is believed beside a read alone.
    const isPlainRefusal = meaning.kind === 'refused' && !afterLost
    this.#service.readsAnswer = step !== 'first' || isPlainRefusal
    this.#service.foreign = meaning.kind === 'duplicate' && !afterLost && !executed
    if (step === 'late') this.#program.wait(16 * 60_000)
    if (step === 'lost') {
      this.#service.behave({ execute: false, say: () => 'reset' })
      return
    }
    if (step !== 'first' && step !== 'again') {
      this.#service.behave({ execute: true, say: null })
      return
    }
    const lost: Conduct = { execute: executed, say: () => 'reset' }
    const isFinal = meaning.kind === 'refused' || (meaning.kind === 'duplicate' && afterLost)
    const spoken: Conduct = {
      execute: meaning.kind === 'done' || meaning.kind === 'ended' || (executed && !isFinal),
      say: say === 'refused' ? () => 'reset' : say,
    }
    this.#service.behave(...(afterLost && step === 'first' ? [lost, spoken] : [spoken]))
  }

  async #command(step: Step): Promise<Ended | null> {
    const isHurried = this.#answer.name === 'no answer in time' && (step === 'first' || step === 'again')
    const flags = [...profile, '--json', ...(isHurried ? ['--answer-timeout', '300ms'] : [])]
    if (step !== 'resume' && step !== 'late') {
      return this.#program.run([...this.#of.write.argv(this.#home), ...flags, '--yes'], this.#home)
    }
    const { journalId } = this.#newest
    return journalId === null ? null : this.#program.run(['resume', journalId, ...flags], this.#home)
  }

  async #readNewest(): Promise<Newest> {
    const listed = await this.#program.run(['journal', 'list', ...profile, '--json'], this.#home)
    const [newest] = JSON.parse(listed.stdout) as readonly Newest[]
    return newest ?? { journalId: null, state: null }
  }
}

/** Tells the stories of one pair: executed and not, at first and, where a write is sent once more, after a lost answer. */
export async function tellPair(write: Write, answer: Answer, program: () => Program): Promise<readonly string[]> {
  const meaning = meaningOf(answer.is, write)
  const told: string[] = []
  for (const afterLost of isRepeated(write) ? [false, true] : [false]) {
    for (const executed of executions(write, meaning, afterLost)) {
      const service = await HostileService.start(write)
      const home = await homeFor(service.port)
      try {
        const circumstances = { write, meaning, executed, afterLost }
        told.push(...(await new Story(service, program(), home, answer, circumstances).tell()))
      } finally {
        await service.close()
        rmSync(home, { recursive: true, force: true })
      }
    }
  }
  return told
}
