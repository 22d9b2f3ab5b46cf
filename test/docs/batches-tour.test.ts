/** The tour of docs/batches.md, line by line, in a folder of its own. */
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '../kit/docs/page.ts'
import { Stage } from '../kit/docs/stage.ts'

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

/** A person who types the tour: what is nothing but a command runs in this process. */
class Person {
  readonly #stage = new Stage()
  /** The plan ids of the page, and those that stand for them here. */
  readonly #ids = new Map<string, string>()
  #waiting: string | null = null

  constructor() {
    cpSync(join(root, 'docs', 'batches'), join(this.#stage.folder, 'docs', 'batches'), { recursive: true })
    this.#stage.variables = {}
  }

  /** An id that the page has not had before is that of the plan that was made last. */
  own(text: string): string {
    return text.replace(exampleId, (id) => {
      const known = this.#ids.get(id) ?? this.#waiting ?? id
      this.#ids.set(id, known)
      return known
    })
  }

  async type(line: string): Promise<{ readonly code: number; readonly said: string }> {
    const [, name, value] = /^export (\w+)=(\S+)$/.exec(line) ?? []
    if (name !== undefined && value !== undefined) this.#stage.variables = { ...this.#stage.variables, [name]: value }
    const { code, stdout, stderr } = await this.#stage.type(this.own(line.replace(/\s+# .*$/, '')))
    const said = `${stdout}\n${stderr}`
    const [planned] = /\bb-[0-9a-f]{12}\b/.exec(said) ?? []
    if (line.startsWith('paydesk batch plan') && code === 0) this.#waiting = planned ?? null
    return { code, said }
  }

  end(): Promise<void> {
    return this.#stage.clear()
  }
}

// Dozens of commands, one after the other.
test('docs/batches.md: every line of the tour ends and prints as the page says', { timeout: 60_000 }, async () => {
  const lines = toldLines(readFileSync(join(root, 'docs/batches.md'), 'utf8'))
  expect(lines.length).toBeGreaterThan(30)
  const person = new Person()
  onTestFinished(() => person.end())
  for (const { line, code, shown } of lines) {
    const ended = await person.type(line)
    expect(ended.code, `${line}\n${ended.said}`).toBe(code)
    for (const each of shown) expect(ended.said, line).toContain(person.own(each))
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
