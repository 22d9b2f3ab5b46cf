import { Chalk } from 'chalk'
import { encode } from 'uqr'
import { describe, expect, test } from 'vitest'
import { qrCode, qrModules } from '../../../../src/lib/cli/views/qr.ts'

const address = 'http://127.0.0.1:4010/checkout/5af8f49c-1d75-428c-9f15-9dd178f0cdbb'
const plain = new Chalk({ level: 0 })
const coloured = new Chalk({ level: 1 })

/** Black on bright white, and back. */
const [begin, end] = ['\u001b[30m\u001b[107m', '\u001b[49m\u001b[39m'] as const

const drawn: Readonly<Record<string, readonly [boolean, boolean]>> = {
  ' ': [false, false],
  '▀': [true, false],
  '▄': [false, true],
  '█': [true, true],
}

/** The modules that half blocks stand for, line by line. */
function modulesOf(lines: readonly string[]): boolean[][] {
  return lines.flatMap((line) => {
    const pairs = Array.from(line, (character) => drawn[character] ?? [false, false])
    return [pairs.map(([upper]) => upper), pairs.map(([, lower]) => lower)]
  })
}

function inner(modules: readonly boolean[][], frame: number, size: number): boolean[][] {
  return modules.slice(frame, frame + size).map((row) => row.slice(frame, frame + size))
}

describe('a QR code', () => {
  test('in colours is black on white, dark modules drawn, with a frame of four', async () => {
    const modules = await qrModules(address)
    const lines = qrCode(modules, 100, coloured).split('\n')
    for (const line of lines) {
      expect(line.startsWith(begin)).toBe(true)
      expect(line.endsWith(end)).toBe(true)
    }
    const read = modulesOf(lines.map((line) => line.slice(begin.length, -end.length)))
    expect(read[0]).toHaveLength(modules.length + 8)
    expect(inner(read, 4, modules.length)).toEqual(encode(address, { border: 0 }).data)
    expect(read.flat().filter(Boolean)).toHaveLength(modules.flat().filter(Boolean).length)
  })

  test('without colours has its bright modules drawn', async () => {
    const modules = await qrModules(address)
    const lines = qrCode(modules, 100, plain).split('\n')
    expect(lines.join('')).not.toContain('\u001b')
    const read = modulesOf(lines)
    expect(inner(read, 4, modules.length)).toEqual(modules.map((row) => row.map((dark) => !dark)))
  })

  test('makes its frame narrower before it gives up, and never wraps', async () => {
    const modules = await qrModules(address)
    const size = modules.length
    for (const width of [size + 8, size + 5, size + 2]) {
      const lines = qrCode(modules, width, plain).split('\n')
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(width)
      const frame = Math.floor((width - size) / 2)
      expect(inner(modulesOf(lines), frame, size)).toEqual(modules.map((row) => row.map((dark) => !dark)))
    }
    expect(qrCode(modules, size + 1, plain)).toBe(
      `The terminal is too narrow for the QR code: it needs ${size + 2} columns.`,
    )
  })
})
