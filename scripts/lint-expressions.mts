/**
 * Regular expressions that a foreign text can make slow: part of `npm run lint`. Each literal and each `new RegExp` of `src`
 * is put before recheck, a tool that looks for texts which take more than a time in proportion; one such, and the lint fails
 * and names file and line. Expressions found safe are recorded in `scripts/expressions.json`, since recheck needs seconds for
 * some: `npm run expressions` brings the record up to date, `npm run expressions -- --all` checks everything anew.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Diagnostics } from 'recheck'
import { type Expression, expressionsIn, made } from './expressions.mts'

const isRecording = process.argv.includes('--record')
// JavaScript alone finds the same everywhere; recording all takes a minute of it, and may use a quicker program where there is one.
process.env.RECHECK_BACKEND = isRecording ? 'auto' : 'pure'
const { check } = await import('recheck')

const root = join(import.meta.dirname, '..')
const record = join(import.meta.dirname, 'expressions.json')
const limits = { timeout: 20_000 } as const

/** Of the tool and the expression: another version of either is checked anew. */
const tool = (JSON.parse(readFileSync(join(root, 'node_modules/recheck/package.json'), 'utf8')) as { version: string })
  .version
const nameOf = ({ source, flags }: Expression) =>
  createHash('sha256').update(`${tool}\n${flags}\n${source}`).digest('hex').slice(0, 24)

function complaintOf(found: Diagnostics): string | null {
  if (found.status === 'safe') return null
  if (found.status === 'unknown') return `recheck cannot tell (${found.error.kind})`
  return `${found.complexity.summary} time, for example on ${found.attack.pattern.slice(0, 120)}`
}

const known = new Set(JSON.parse(readFileSync(record, 'utf8')) as readonly string[])
const checksAll = process.argv.includes('--all')
const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => join('src', file))
  .toSorted()

const expressions = [...files.flatMap((file) => expressionsIn(root, file)), ...(await made(root, files))]
const safe = new Set<string>()
const slow: string[] = []
let unrecorded = 0
for (const expression of expressions) {
  const name = nameOf(expression)
  if (safe.has(name)) continue
  const isKnown = known.has(name) && !checksAll
  if (!isKnown) unrecorded += 1
  const complaint = isKnown ? null : complaintOf(await check(expression.source, expression.flags, limits))
  if (complaint === null) safe.add(name)
  else slow.push(`${expression.at}: /${expression.source.slice(0, 80)}/${expression.flags}: ${complaint}`)
}

for (const line of slow) process.stderr.write(`${line}\n`)
if (isRecording) writeFileSync(record, `${JSON.stringify([...safe].toSorted(), null, 2)}\n`)
else if (unrecorded > slow.length)
  process.stderr.write(
    `${unrecorded} expressions are not recorded yet: \`npm run expressions\` makes the lint quicker.\n`,
  )
process.exitCode = slow.length > 0 ? 1 : 0
