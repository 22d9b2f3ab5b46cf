/**
 * Breaks a rule of docs/internals/money-safety.md on purpose, one at a time, and looks whether what is named beside it notices:
 * `npm run mutants [-- part of a name …]`. Everything happens in copies of the repository below the system's temporary
 * directory, one for each core. Every killer must notice by itself, and for its own reasons: one that does not run proves
 * nothing, and neither does one that fails without a mutant.
 */
import { rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { makePool } from '../test/kit/key-pairs.ts'
import { treeOf } from './house/tree.mts'
import { broken } from './mutants/apply.mts'
import { Judge } from './mutants/judge.mts'
import type { Mutant } from './mutants/mutant.mts'
import { mutants } from './mutants/mutants.mts'

const tell = (line: string) => process.stdout.write(`${line}\n`)

const root = join(import.meta.dirname, '..')
const parts = process.argv.slice(2)
const chosen = mutants.filter(({ name }) => parts.length === 0 || parts.some((part) => name.includes(part)))
const program = new Map(treeOf(root).src.map((source) => [source.path, source]))
const judges = Array.from({ length: Math.min(availableParallelism(), chosen.length) }, () => new Judge(root))
// To make them takes longer than most killers run.
const keys = await makePool()
process.once('exit', () => {
  for (const judge of judges) judge.stop()
  rmSync(keys, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

/** Killers that prove nothing, because they fail or do not run even without a mutant. */
async function unfitOf(killers: readonly string[]): Promise<ReadonlySet<string>> {
  const unfit = new Set<string>()
  const ends = await judges[0]?.endsOf(killers)
  for (const [killer, end] of ends ?? []) {
    if (end === 'SURVIVED') continue
    unfit.add(killer)
    tell(`UNFIT     ${killer} ${end === 'killed' ? 'fails' : 'does not run'} without any mutant`)
  }
  return unfit
}

/** Applies the mutant, looks, and takes it back. */
async function isKilled(judge: Judge, mutant: Mutant, unfit: ReadonlySet<string>): Promise<boolean> {
  const after = broken(program, mutant)
  const killers = mutant.killers.filter((killer) => !unfit.has(killer))
  const missed: string[] = []
  for (const [path, { text }] of after) judge.write(path, text)
  for (const killer of killers) {
    const end = await judge.endOf(killer)
    if (end !== 'killed') missed.push(`          ${end}: ${killer}`)
  }
  for (const path of after.keys()) judge.write(path, program.get(path)?.text)
  const dead = missed.length === 0 && killers.length > 0
  const lines = [`${dead ? 'killed  ' : 'SURVIVED'}  ${mutant.name}`, ...missed]
  tell([...lines, ...(dead ? [] : [`          the rule: ${mutant.rule}`])].join('\n'))
  return dead
}

const unfit = await unfitOf([...new Set(chosen.flatMap(({ killers }) => killers))])
const left = [...chosen]
let killed = 0
await Promise.all(
  judges.map(async (judge) => {
    for (let mutant = left.shift(); mutant; mutant = left.shift()) {
      if (await isKilled(judge, mutant, unfit)) killed += 1
    }
  }),
)
tell(`${killed} of ${chosen.length} killed`)
process.exitCode = killed < chosen.length || unfit.size > 0 || chosen.length === 0 ? 1 : 0
