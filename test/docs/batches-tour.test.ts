/** The tour of docs/batches.md, line by line, with the built program in a folder of its own. */
import { execFile } from 'node:child_process'
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../kit/docs/page.ts'
import { cleanEnv, program } from '../kit/program/built-paydesk.ts'
import { temporaryDirectory } from '../kit/run/temporary.ts'

interface ToldLine {
  readonly line: string
  /** The exit code that its comment tells; 0 without one. */
  readonly code: number
  /** Lines that the page shows below it. */
  readonly shown: readonly string[]
}

/** The lines of the page, each with what is shown of its output. */
function toldLines(page: string): readonly ToldLine[] {
  const blocks = [...page.matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm)].map(([, kind = '', text = '']) => ({
    kind,
    text,
  }))
  return blocks.flatMap(({ kind, text }, at) => {
    if (kind !== 'sh') return []
    const shown = blocks[at + 1]?.kind === '' ? (blocks[at + 1]?.text ?? '') : ''
    const lines = text.split('\n').filter((line) => line !== '')
    return lines.map((line, place) => {
      const [, code = '0'] = / # (\d+): /.exec(line) ?? []
      const isLast = place === lines.length - 1
      return { line, code: Number(code), shown: isLast ? shown.split('\n').filter((each) => each !== '') : [] }
    })
  })
}

const exampleId = /\bb-[0-9a-f]{12}\b/g

class Shell {
  readonly #home = temporaryDirectory('tour')
  readonly #folder = temporaryDirectory('tour')
  /** The plan ids of the page, and those that stand for them here. */
  readonly #ids = new Map<string, string>()
  #waiting: string | null = null
  #exported = ''

  constructor() {
    cpSync(join(root, 'docs', 'batches'), join(this.#folder, 'docs', 'batches'), { recursive: true })
  }

  /** An id that the page has not had before is that of the plan that was made last. */
  own(text: string): string {
    return text.replace(exampleId, (id) => {
      const known = this.#ids.get(id) ?? this.#waiting ?? id
      this.#ids.set(id, known)
      return known
    })
  }

  async run(line: string): Promise<{ readonly code: number; readonly said: string }> {
    if (line.startsWith('export ')) this.#exported += `${line}\n`
    const before = `paydesk() { '${process.execPath}' '${program}' "$@"; }\n${this.#exported}`
    const env = cleanEnv(this.#home, { COLUMNS: '120' })
    const script = `${before}${this.own(line)}`
    const ended = await new Promise<{ readonly code: number; readonly said: string }>((resolve) => {
      const child = execFile('sh', ['-c', script], { cwd: this.#folder, env }, (_error, stdout, stderr) => {
        resolve({ code: child.exitCode ?? -1, said: `${stdout}\n${stderr}` })
      })
    })
    const [planned] = /\bb-[0-9a-f]{12}\b/.exec(ended.said) ?? []
    if (line.startsWith('paydesk batch plan') && ended.code === 0) this.#waiting = planned ?? null
    return ended
  }
}

test('every line of the tour does what the page says', { timeout: 180_000 }, async () => {
  const lines = toldLines(readFileSync(join(root, 'docs/batches.md'), 'utf8'))
  expect(lines.length).toBeGreaterThan(30)
  const shell = new Shell()
  for (const { line, code, shown } of lines) {
    const ended = await shell.run(line)
    expect(ended.code, `${line}\n${ended.said}`).toBe(code)
    for (const each of shown) expect(ended.said, line).toContain(shell.own(each))
  }
})

test('every command of batches stands in the tour, but those that are told elsewhere', () => {
  const page = readFileSync(join(root, 'docs/batches.md'), 'utf8')
  const named = new Set([...page.matchAll(/paydesk batch (\w+)/g)].map(([, name]) => name))
  const { commands } = JSON.parse(readFileSync(join(root, 'dist', 'listing.json'), 'utf8')) as {
    commands: readonly { readonly id?: string; readonly name?: string }[] | Record<string, unknown>
  }
  const all = JSON.stringify(commands).match(/batch[ :](\w+)/g) ?? []
  expect(all.length).toBeGreaterThan(10)
  for (const each of all) expect(named, each).toContain(each.slice('batch '.length))
})
