/**
 * Breaks a rule of docs/internals/money-safety.md on purpose, one at a time, and looks whether what is named beside it notices:
 * `npm run mutants [-- part of a name …]`. Everything happens in a copy of the repository below the system's temporary
 * directory. Every killer must notice by itself, and for its own reasons: one that does not run proves nothing, and neither
 * does one that fails without a mutant.
 */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { treeOf } from './house/tree.mts'
import { broken } from './mutants/apply.mts'
import { copyOf } from './mutants/copy.mts'
import { endOf, stop } from './mutants/judge.mts'
import type { Mutant } from './mutants/mutant.mts'
import { mutants } from './mutants/mutants.mts'

const tell = (line: string) => process.stdout.write(`${line}\n`)

const root = join(import.meta.dirname, '..')
const parts = process.argv.slice(2)
const chosen = mutants.filter(({ name }) => parts.length === 0 || parts.some((part) => name.includes(part)))
const program = new Map(treeOf(root).src.map((source) => [source.path, source]))
const copy = copyOf(root)
process.once('exit', () => {
  stop()
  rmSync(copy, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

/** Killers that prove nothing, because they fail or do not run even without a mutant. */
async function unfitOf(killers: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const unfit = new Set<string>()
  for (const killer of killers) {
    const end = await endOf(copy, killer)
    if (end === 'SURVIVED') continue
    unfit.add(killer)
    tell(`UNFIT     ${killer} ${end === 'killed' ? 'fails' : 'does not run'} without any mutant`)
  }
  return unfit
}

/** Applies the mutant, looks, and takes it back. */
async function isKilled(mutant: Mutant, unfit: ReadonlySet<string>): Promise<boolean> {
  const after = broken(program, mutant)
  const write = (path: string, text = '') => writeFileSync(join(copy, path), text)
  const killers = mutant.killers.filter((killer) => !unfit.has(killer))
  const missed: string[] = []
  for (const [path, { text }] of after) write(path, text)
  for (const killer of killers) {
    const end = await endOf(copy, killer)
    if (end !== 'killed') missed.push(`          ${end}: ${killer}`)
  }
  for (const path of after.keys()) write(path, program.get(path)?.text)
  const dead = missed.length === 0 && killers.length > 0
  for (const line of [`${dead ? 'killed  ' : 'SURVIVED'}  ${mutant.name}`, ...missed]) tell(line)
  if (!dead) tell(`          the rule: ${mutant.rule}`)
  return dead
}

const unfit = await unfitOf(new Set(chosen.flatMap(({ killers }) => killers)))
let killed = 0
for (const mutant of chosen) if (await isKilled(mutant, unfit)) killed += 1
tell(`${killed} of ${chosen.length} killed`)
process.exitCode = killed < chosen.length || unfit.size > 0 || chosen.length === 0 ? 1 : 0
