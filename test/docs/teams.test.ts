/**
 * The way of docs/how-to/teams.md from nothing to two people and three workers, typed line by line into one shell, and its other lines that
 * need a store. What a person would be asked at a terminal is answered by a flag; what stands in <> is what an earlier line printed.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { postgresServer } from '../kit/postgres.ts'
import { cleanEnv, node, program } from '../kit/process.ts'
import { newHome } from '../kit/program.ts'
import { until } from '../kit/tools.ts'
import { linesBelow } from './typed/command-lines.ts'
import { root } from './typed/page.ts'

const server = postgresServer()

const page = linesBelow(readFileSync(join(root, 'docs/how-to/teams.md'), 'utf8'))
const headings = ['Share a journal', 'Try it: two people, three workers', 'Run workers']
const linesOf = (heading: string) => page.get(heading) ?? []

/** The store, and the plan of a payroll, with three workers at work: as its own profile the page has another name. */
async function typeTheOthers(shell: TypedShell, address: string): Promise<void> {
  for (const line of linesOf('Share a journal'))
    await shell.type(line.replace(/postgres:\S+/, `'${address}'`).replace('~/.config/paydesk', '.'))
  const rows = [1, 2].map((at) => `two-${at},60,GEL,Salary,GE29NB0000000101904917,Nino Beridze`)
  const text = ['key,amount,currency,description,toIban,beneficiaryName', ...rows].join('\\n')
  await shell.type(`printf '${text}\\n' >payroll.csv`)
  let plan = ''
  for (const line of linesOf('Run workers')) {
    const own = line.replace('-p payroll', '-p sandbox').replace(/\bb-[0-9a-f]{12}\b/, plan)
    const said = await shell.type(own.includes('worker start') ? `${own} 2>worker-4.log & sleep 0` : own)
    plan ||= ids.plan.exec(said)?.[0] ?? ''
  }
}

test('the lines of the page are those of its chapters', () => {
  // Those of the server itself are typed by its administrator.
  expect([...page.keys()]).toEqual(['Prepare the database', ...headings])
})

/** A bash that is typed into; its background jobs live until the test is over. */
class TypedShell {
  readonly #bash: ChildProcess
  #heard = ''

  constructor(folder: string) {
    const env = cleanEnv(folder, { PGPASSWORD: process.env.PGPASSWORD ?? '' })
    this.#bash = spawn('bash', [], { cwd: folder, env, stdio: ['pipe', 'pipe', 'pipe'] })
    for (const stream of [this.#bash.stdout, this.#bash.stderr])
      stream?.on('data', (piece) => {
        this.#heard += String(piece)
      })
    this.#write(`paydesk() { "${node}" "${program}" "$@"; }`)
  }

  async type(line: string): Promise<string> {
    this.#heard = ''
    this.#write(`${line}\necho "ended with $?"`)
    await until(line, () => /ended with \d+\n/.test(this.#heard), 90_000)
    const [said = '', code] = this.#heard.split(/ended with (\d+)\n/)
    expect(code, `${line}\n${this.#heard}`).toBe('0')
    return said
  }

  async end(): Promise<void> {
    // A job of a function is a shell of its own: its worker is told, and ends by itself.
    this.#write('for job in $(jobs -p); do kill -TERM $(cat /proc/$job/task/$job/children); done; wait; exit')
    await new Promise((resolve) => {
      this.#bash.once('close', resolve)
    })
  }

  #write(text: string): void {
    this.#bash.stdin?.write(`${text}\n`)
  }
}

const ids = { plan: /\bb-[0-9a-f]{12}\b/, approval: /\ba-[0-9a-f]{12}\b/, key: /ed25519:\S+/g } as const

test.runIf(process.platform === 'linux')(
  'every line does what the page says, and three workers pay 300 rows',
  { timeout: 300_000 },
  async () => {
    const folder = newHome()
    const address = await server.newAddress()
    const shell = new TypedShell(folder)
    onTestFinished(() => shell.end())
    const known = { plan: '', approval: '', key: '', sum: '' }
    for (const line of linesOf(headings[1] ?? '')) {
      const own = line
        .replace('postgres://localhost/paydesk', `'${address}'`)
        .replace('<what nino.key printed>', known.key)
        .replace('<the plan>', known.plan)
        .replace('<the approval>', known.approval)
      expect(own).not.toMatch(/<[a-z]/)
      const asks = / approval approve | batch run /.test(own)
      const said = await shell.type(asks ? `${own} --confirm "${known.sum}"` : own)
      known.plan ||= ids.plan.exec(said)?.[0] ?? ''
      known.approval ||= ids.approval.exec(said)?.[0] ?? ''
      known.key ||= said.match(ids.key)?.at(-1) ?? ''
      known.sum ||= /--confirm "([^"]+)"/.exec(said)?.[1] ?? ''
      if (asks && own.includes('batch run')) expect(said).toMatch(/accepted +300\b/)
    }
    const workers = JSON.parse(await shell.type('paydesk worker list --json')) as readonly {
      readonly accepted: number
    }[]
    expect(workers).toHaveLength(3)
    expect(workers.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(300)
    await typeTheOthers(shell, address)
  },
)
