/**
 * Every example of every command's help, and those of the front page, typed as it stands, with the real sandbox. A new command
 * whose examples no scene plays fails.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { HelpPage } from '../../src/lib/cli/help/draw.ts'
import { root } from './typed/page.ts'
import type { Instead, Play, Scene } from './typed/scene.ts'
import { scenes } from './typed/scenes/scenes.ts'
import { Stage } from './typed/stage.ts'

vi.setConfig({ testTimeout: 180_000 })

const read = (path: string) => JSON.parse(readFileSync(join(root, 'dist', `${path}.json`), 'utf8'))

interface Example {
  readonly id: string
  readonly line: string
}

function examplesOf(id: string): readonly Example[] {
  const page: HelpPage = read(['help', ...id.split(':')].filter(Boolean).join('/'))
  const examples = page.flatMap((paragraph) => ('examples' in paragraph ? paragraph.examples : []))
  return examples.map(({ line }) => ({ id: id === '' ? (line.split(' ').slice(1, 3).join(':') ?? '') : id, line }))
}

const ids: readonly string[] = ['', ...read('listing').commands]
const all = ids.flatMap(examplesOf)
const examples = [...new Map(all.map((each) => [each.line, each])).values()]

const sceneOf = ({ id }: Example) => scenes.find((scene) => scene.of(id))

function inWords(line: string, instead: Instead): string {
  return Object.entries(instead).reduce((text, [from, to]) => text.replaceAll(from, to), line)
}

async function play(line: string, { instead, code = 0, before, stays }: Play, words: Instead, stage: Stage) {
  const own = await before?.(stage)
  const typed = inWords(line, { ...instead, ...words, ...own })
  if (stays !== undefined) {
    const staying = await stage.start(typed)
    expect(await staying.end(), typed).toBe(stays)
    return
  }
  const ended = await stage.type(typed)
  expect(ended.code, `${typed}\n${ended.stdout}${ended.stderr}`).toBe(code)
}

async function playScene({ set, lines = {} }: Scene, own: readonly Example[]): Promise<void> {
  const stage = new Stage()
  const wrong: string[] = []
  try {
    const words = (await set?.(stage)) ?? {}
    for (const { line } of own)
      await play(line, lines[line] ?? {}, words, stage).catch((error) => wrong.push(String(error)))
  } finally {
    await stage.clear()
  }
  expect(wrong.join('\n\n')).toBe('')
}

test('every example has a scene, and every line of a scene is an example', () => {
  expect(examples.length).toBeGreaterThan(200)
  const lines = new Set(examples.map(({ line }) => line))
  const stale = scenes.flatMap((scene) => Object.keys(scene.lines ?? {}).filter((line) => !lines.has(line)))
  expect(stale, 'lines that are no example any more').toEqual([])
  expect(examples.filter((each) => sceneOf(each) === undefined)).toEqual([])
})

test.each(scenes.map((scene) => [scene.name, scene] as const))('examples that are typed: %s', async (_name, scene) => {
  const own = examples.filter((each) => sceneOf(each) === scene)
  expect(own.length).toBeGreaterThan(0)
  await playScene(scene, own)
})
