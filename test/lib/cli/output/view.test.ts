import { stripVTControlCharacters } from 'node:util'
import { Chalk } from 'chalk'
import fc from 'fast-check'
import { encode } from 'uqr'
import { describe, expect, test } from 'vitest'
import { drawView, qrCode, qrModules, type View } from '../../../../src/lib/cli/output/view.ts'
import { JsonNumber } from '../../../../src/lib/contract/core/decimal.ts'

const plain = new Chalk({ level: 0 })
const coloured = new Chalk({ level: 1 })
const widths = [20, 40, 80, 200]

const facts: View = [
  {
    kind: 'facts',
    title: 'Payout accepted',
    rows: [
      ['amount', new JsonNumber('12.50')],
      ['to', 'GE29 NB00 0000 0101 9049 17'],
      ['status', null],
      ['says', undefined],
      ['final', false],
      ['attempts', 0],
    ],
  },
]

function table(rows: readonly (readonly string[])[]): View {
  return [{ kind: 'table', head: ['journal', 'amount', 'status'], rows, empty: 'There is nothing yet.' }]
}

const two = table([
  ['j-1', 'GEL 12.50', 'SUCCESS'],
  ['j-22', 'USD 1.00', 'PENDING'],
])

describe('facts', () => {
  test('stand in two columns where there is room, and null is left out', () => {
    for (const width of [40, 80, 200]) {
      expect(drawView(facts, width, plain).split('\n')).toEqual([
        ...['Payout accepted', 'amount    12.50', 'to        GE29 NB00 0000 0101 9049 17'],
        ...['final     false', 'attempts  0'],
      ])
    }
  })

  test('stand below each other on a narrow terminal', () => {
    expect(drawView(facts, 20, plain)).toBe(
      'Payout accepted\namount\n  12.50\nto\n  GE29 NB00 0000\n  0101 9049 17\nfinal\n  false\nattempts\n  0',
    )
  })
})

describe('tables', () => {
  test('stand in columns without borders where they fit', () => {
    for (const width of [40, 80, 200]) {
      expect(drawView(two, width, plain)).toBe(
        ['journal  amount     status', 'j-1      GEL 12.50  SUCCESS', 'j-22     USD 1.00   PENDING'].join('\n'),
      )
    }
  })

  test('become one card for each row where they do not fit, and no value is cut', () => {
    const text = drawView(two, 20, plain)
    expect(text).toBe(
      'journal\n  j-1\namount\n  GEL 12.50\nstatus\n  SUCCESS\n\njournal\n  j-22\namount\n  USD 1.00\nstatus\n  PENDING',
    )
    const wide = table([['j-1', 'x'.repeat(100), '']])
    for (const width of [20, 40, 80]) {
      expect(drawView(wide, width, plain)).toContain('x'.repeat(100))
      expect(drawView(wide, width, plain)).not.toContain('status')
    }
    expect(drawView(wide, 200, plain).split('\n')).toHaveLength(2)
  })

  const prose = `the service said no: ${'its balance is gone '.repeat(5)}`.trim()
  const refused: View = [
    {
      kind: 'table',
      head: ['row', 'state', 'transaction', 'to', 'why'],
      rows: [
        ['2', 'refused', '', 'GE29NB0000000101904917', prose],
        ['3', 'accepted', '', 'GE29NB0000000101904917', ''],
      ],
      empty: '',
    },
  ]

  test('keep a row in a line, a long text below it, and leave empty columns out before that', () => {
    expect(drawView(refused, 60, plain).split('\n')).toEqual([
      'row  state     to',
      '2    refused   GE29NB0000000101904917',
      '  why  the service said no: its balance is gone its balance',
      '       is gone its balance is gone its balance is gone its',
      '       balance is gone',
      '3    accepted  GE29NB0000000101904917',
    ])
    expect(drawView(refused, 20, plain)).toContain('state\n  refused')
  })

  test('give a program a line for each row, however long', () => {
    expect(drawView(refused, 60, plain, true).split('\n')).toEqual([
      'row  state     transaction  to                      why',
      `2    refused                GE29NB0000000101904917  ${prose}`,
      '3    accepted               GE29NB0000000101904917',
    ])
    expect(drawView(table([]), 80, plain)).toBe('There is nothing yet.')
  })

  test('of more than a thousand rows are lines, one for each row', () => {
    const many = (count: number) =>
      table(Array.from({ length: count }, (_, index) => [`j-${index}`, 'GEL 1.00', 'SUCCESS']))
    for (const width of widths) {
      const lines = drawView(many(1001), width, plain).split('\n')
      expect(lines).toHaveLength(1002)
      expect([lines[0], lines[1], lines.at(-1)]).toEqual([
        'journal  amount  status',
        'j-0  GEL 1.00  SUCCESS',
        'j-1000  GEL 1.00  SUCCESS',
      ])
    }
    expect(drawView(many(1000), 200, plain).split('\n')).toHaveLength(1001)
  })

  test('show every cell, however wide the terminal', () => {
    const cell = fc.stringMatching(/^[a-z0-9.]{0,30}$/)
    fc.assert(
      fc.property(
        fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 5 }),
        fc.constantFrom(...widths),
        (rows, width) => {
          const text = drawView(table(rows), width, plain)
          for (const value of rows.flat()) expect(text).toContain(value)
          const columns = text.startsWith('journal  amount')
          if (columns) for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(width)
        },
      ),
    )
  })
})

test('blocks stand one below the other with an empty line between', () => {
  const blocks = ['one\ntwo', 'three'].map((text) => ({ kind: 'text', text }) as const)
  expect(drawView(blocks, 80, plain)).toBe('one\ntwo\n\nthree')
  expect(drawView([], 80, plain)).toBe('')
})

test('colours change nothing but colours', () => {
  for (const view of [facts, two]) {
    for (const width of widths) {
      const text = drawView(view, width, coloured)
      expect(text).toContain('\u001b[')
      expect(stripVTControlCharacters(text).replace(/ +$/gm, '')).toBe(drawView(view, width, plain))
    }
  }
})

test('nothing that the service sent acts upon the terminal: titles, labels, values, cells, text', () => {
  const evil = 'a\u001b[2K\r\u202eb'
  const view: View = [
    { kind: 'facts', title: evil, rows: [[evil, evil]] },
    { kind: 'text', text: evil },
    ...table([[evil, evil, evil]]),
    ...table(Array.from({ length: 1001 }, () => [evil, evil, evil])),
  ]
  for (const width of widths) {
    const text = drawView(view, width, plain)
    expect(text).toContain('a<U+001B>[2K<U+000D><U+202E>b')
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u)
  }
})

const address = 'http://127.0.0.1:4010/checkout/5af8f49c-1d75-428c-9f15-9dd178f0cdbb'

/** Black on bright white, and back. */
const [begin, end] = ['\u001b[30m\u001b[107m', '\u001b[49m\u001b[39m'] as const

const drawnCode: Readonly<Record<string, readonly [boolean, boolean]>> = {
  ' ': [false, false],
  '▀': [true, false],
  '▄': [false, true],
  '█': [true, true],
}

/** The modules that half blocks stand for, line by line. */
function modulesOf(lines: readonly string[]): boolean[][] {
  return lines.flatMap((line) => {
    const pairs = Array.from(line, (character) => drawnCode[character] ?? [false, false])
    return [pairs.map(([upper]) => upper), pairs.map(([, lower]) => lower)]
  })
}

function inner(modules: readonly boolean[][], frame: number, size: number): boolean[][] {
  return modules.slice(frame, frame + size).map((row) => row.slice(frame, frame + size))
}

describe('a QR code', () => {
  test('in colours is black on white, dark modules drawnCode, with a frame of four', async () => {
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
