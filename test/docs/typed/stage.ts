/** A home, a folder and a shell of one person, in which command lines are typed. */
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chdir, cwd } from 'node:process'
import { impatient } from '../../kit/clock.ts'
import { cleanEnv, node, program } from '../../kit/process.ts'
import { isCommand, paydesk } from '../../kit/program.ts'
import { temporaryDirectory } from '../../kit/run/temporary.ts'
import { until } from '../../kit/tools.ts'
import { plainWords, type TypedEnd, typeIn } from './command-lines.ts'

/** A command that stays until it is asked to end. */
export interface Staying {
  /** The first line that it says on stdout. */
  readonly first: string
  /** Ends it by a signal and gives its exit code. */
  end(signal?: 'SIGTERM' | 'SIGKILL'): Promise<number | null>
}

export class Stage {
  readonly home = temporaryDirectory('home')
  readonly folder = temporaryDirectory('typed')
  /** Variables that a person has exported. */
  variables: Readonly<Record<string, string>> = { PAYDESK_PROFILE: 'sandbox' }
  /** Lines before each that bash is given: programs of a person. */
  functions = ''
  readonly #staying = new Set<Staying>()
  readonly #before = cwd()

  async type(line: string): Promise<TypedEnd> {
    const [first, ...argv] = plainWords(line) ?? []
    if (first !== 'paydesk' || !isCommand(argv))
      return await typeIn(this.folder, this.home, `${this.functions}${line}`, this.variables)
    chdir(this.folder)
    const env = { HOME: this.home, ...this.variables }
    const { code, stdout, log } = await paydesk(argv, { home: this.home, env, random: impatient })
    return { code, stdout, stderr: log }
  }

  /** Types a line that belongs to the scene, and reads the JSON that it prints. */
  async done<Told = Readonly<Record<string, unknown>>>(line: string, code = 0): Promise<Told> {
    const ended = await this.type(line)
    if (ended.code !== code)
      throw new Error(`${line}\nended with ${ended.code}, not ${code}:\n${ended.stdout}${ended.stderr}`)
    return JSON.parse(ended.stdout || '{}') as Told
  }

  put(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text, { mode: 0o600 })
  }

  /** Types a line whose command stays, and waits for its first line. */
  async start(line: string): Promise<Staying> {
    const script = line.replace('paydesk ', `exec "${node}" "${program}" `)
    const env = cleanEnv(this.home, this.variables)
    const child = spawn('bash', ['-c', script], { cwd: this.folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const said = { out: '', err: '' }
    child.stdout.on('data', (piece) => {
      said.out += piece
    })
    child.stderr.on('data', (piece) => {
      said.err += piece
    })
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
    const staying: Staying = {
      get first() {
        return said.out.split('\n')[0] ?? ''
      },
      end: (signal = 'SIGTERM') => {
        this.#staying.delete(staying)
        child.kill(signal)
        return ended
      },
    }
    this.#staying.add(staying)
    await until(`${line} says something`, () => said.out.includes('\n') || child.exitCode !== null)
    if (child.exitCode !== null) throw new Error(`${line} did not stay: ${child.exitCode}\n${said.out}${said.err}`)
    return staying
  }

  async clear(): Promise<void> {
    chdir(this.#before)
    await Promise.all([...this.#staying].map((each) => each.end('SIGKILL')))
  }
}
