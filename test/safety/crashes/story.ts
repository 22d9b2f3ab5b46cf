/** The story of one cell. */
import { rmSync } from 'node:fs'
import { impatient } from '../../kit/clock.ts'
import { start } from '../../kit/process.ts'
import { paydesk } from '../../kit/program.ts'
import { homeFor, profile } from '../answers/home.ts'
import { type Ended, look, type Seen } from '../answers/judge.ts'
import { HostileService } from '../answers/service.ts'
import { type Cell, type TeamCell, titleOf } from './cells.ts'
import { conductOf } from './fault.ts'
import { type CrashPlace, inFile } from './place.ts'

interface Kept {
  readonly journalId: string
  readonly state: string
}

/** States of the journal, and what they say of the service. */
const executedStates = ['accepted', 'exists']
const unexecutedStates = ['refused', 'unsent', 'turned-away', 'held']

function contradictions({ exit, moneyMoved, executed }: Seen, promised: readonly (number | null)[]): readonly string[] {
  const wrong: string[] = []
  if (executed > 1) wrong.push(`executed ${executed} times`)
  if (exit === 0 && executed === 0) wrong.push('"done" without an execution')
  if (moneyMoved === 'no' && executed > 0) wrong.push('"not moved" after an execution')
  if (!promised.includes(exit)) wrong.push(`exit ${exit}`)
  return wrong
}

class CrashStory {
  readonly #cell: Cell | TeamCell
  readonly #service: HostileService
  readonly #home: string
  readonly #place: CrashPlace
  readonly #lines: string[] = []
  /** True as soon as a command has said that its journal is damaged. */
  #isDamaged = false

  constructor(cell: Cell | TeamCell, place: CrashPlace, service: HostileService, home: string) {
    this.#cell = cell
    this.#place = place
    this.#service = service
    this.#home = home
  }

  async tell(): Promise<readonly string[]> {
    await this.#crash()
    this.#service.readsAnswer = true
    this.#service.behave({ execute: true, say: null })
    await this.#say('again', this.#argv)
    const [kept] = this.#isDamaged ? [] : await this.#journal()
    if (kept) await this.#say('resume', ['resume', kept.journalId, ...profile, '--json', ...this.#place.patience])
    if (!this.#isDamaged) await this.#say('last', this.#argv)
    await this.#compareJournal()
    return this.#lines.map((line) => `${titleOf(this.#cell)} | ${line}`)
  }

  get #argv(): readonly string[] {
    return [...this.#cell.write.argv(this.#home), ...profile, '--json', '--yes', ...this.#place.patience]
  }

  async #crash(): Promise<void> {
    const { boundary, crash, fault } = this.#cell
    this.#service.readsAnswer = false
    this.#service.behave(conductOf(fault))
    const { child, end } = start(this.#argv, this.#home, {
      ...this.#place.env,
      ...this.#place.crashing(this.#home, this.#cell),
      ...{ NODE_COMPILE_CACHE: '', NODE_DISABLE_COMPILE_CACHE: '1' },
    })
    let hasStruck = boundary !== 'after send'
    this.#service.onWrite = () => {
      if (hasStruck || child.pid === undefined) return
      hasStruck = true
      this.#place.strike(this.#home, crash, child.pid)
    }
    const ended = await end
    if (!(await this.#place.mended())) this.#lines.push(`nothing befell its store: ${ended.stderr}`)
    this.#service.onWrite = null
    if (!hasStruck) this.#lines.push(`the write never came: ${ended.stderr}`)
    // A boundary that a fault keeps from being reached is the one before it.
    if (crash === 'kill -9' && ended.signal !== 'SIGKILL') this.#lines.push(`it was not killed: ${ended.stderr}`)
    if (ended.signal === 'SIGKILL') this.#judge('crash', { ...ended, stderr: '' }, true)
    else this.#judge('crash', ended, true)
    const hasIntent = boundary !== 'before intent'
    if (crash === 'kill -9' && hasIntent && (await this.#journal()).length !== 1) this.#lines.push('no durable intent')
    // A file that is overwritten takes what comes after: then the intent is as durable as the journal.
    const isStopped = crash !== 'damaged file' && crash !== 'database killed'
    if (boundary === 'before intent' && isStopped && this.#service.sent > 0)
      this.#lines.push('sent before its intent was durable')
  }

  #judge(step: string, ended: Ended, hasCrashed: boolean): void {
    const seen = look(ended, null, this.#service.executed)
    const promised = hasCrashed ? [0, 1, 4, 5, 7, 9, 11, null, ...this.#place.more] : [0, 7, 9]
    for (const wrong of contradictions(seen, promised)) {
      this.#lines.push(`${step} | ${wrong} | executed ${seen.executed} | ${seen.exit} ${seen.words}`)
    }
  }

  /** A damaged journal is said (1), and nothing is sent. */
  async #say(step: string, argv: readonly string[]): Promise<void> {
    const before = this.#service.sent
    const ended = await this.#run(argv)
    const mayBeDamaged = this.#cell.crash === 'damaged file'
    if (mayBeDamaged && ended.code === 1 && ended.stderr.includes('damaged')) {
      this.#isDamaged = true
      if (this.#service.sent !== before) this.#lines.push(`${step} | sent with a damaged journal`)
      return
    }
    this.#judge(step, ended, false)
    if (step !== 'last') return
    // What the service recognises comes to its one execution, whatever has happened.
    if (this.#cell.write.name === 'payout create' && ended.code !== 0) {
      this.#lines.push(`last | a payout that is not resolved | ${ended.code} ${ended.stderr}`)
    }
  }

  /** A command behind the crash: in this process, its clock the real one, so that a lease is as old as it is. */
  #run(argv: readonly string[]): Promise<Ended> {
    return paydesk(argv, { home: this.#home, env: this.#place.env, random: impatient })
  }

  async #journal(): Promise<readonly Kept[]> {
    if (!this.#place.isThere(this.#home)) return []
    const listed = await this.#run(['journal', 'list', ...profile, '--json'])
    return listed.code === 0 ? (JSON.parse(listed.stdout) as Kept[]) : []
  }

  async #compareJournal(): Promise<void> {
    if (this.#isDamaged) return
    for (const { state } of await this.#journal()) {
      const { executed } = this.#service
      if (executedStates.includes(state) && executed !== 1) this.#lines.push(`${state}, executed ${executed} times`)
      if (unexecutedStates.includes(state) && executed > 0) this.#lines.push(`${state}, and it was executed`)
    }
    const verified = await this.#run(['journal', 'verify'])
    if (verified.code !== 0) this.#lines.push(`the chain is broken: ${verified.stdout}${verified.stderr}`)
  }
}

/** A line for each contradiction. */
export async function tellCell(cell: Cell | TeamCell, place: CrashPlace = inFile): Promise<readonly string[]> {
  const service = await HostileService.start(cell.write)
  const home = await homeFor(service.port)
  try {
    return await new CrashStory(cell, place, service, home).tell()
  } finally {
    await service.close()
    rmSync(home, { recursive: true, force: true })
  }
}
