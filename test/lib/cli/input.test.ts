import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { RequestFile, type Scalars } from '../../../src/lib/cli/input.ts'
import { JsonNumber } from '../../../src/lib/contract/core/decimal.ts'
import { Failure } from '../../../src/lib/failure.ts'
import { writeJson } from '../../../src/lib/json.ts'
import { temporaryDirectory } from '../../kit/run/temporary.ts'

function read(text: string | Uint8Array, scalars: Scalars = 'text'): Promise<Record<string, unknown>> {
  return new RequestFile('-', Readable.from([Buffer.from(text)])).fields(scalars)
}

const fieldsOf = (path: string) => new RequestFile(path, Readable.from([])).fields('text')

async function refused(text: string | Uint8Array): Promise<string> {
  const error = await read(text).catch((thrown: unknown) => thrown)
  if (!(error instanceof Failure)) throw new Error(`no Failure but ${JSON.stringify(error)}`)
  expect(error.exit).toBe(2)
  return error.message
}

const kept = {
  amount: '12.50',
  exponent: '1e3',
  hexadecimal: '0x10',
  long: '9007199254740993',
  zeros: '01001000001',
  on: 'on',
  no: 'no',
  yes: 'true',
  date: '2026-11-20',
  infinity: '.inf',
}

const lines = Object.entries(kept).map(([name, value]) => `${name}: ${value}`)

describe('JSON', () => {
  test('numbers and booleans are text, digit for digit', async () => {
    expect(await read('{"amount":12.50,"e":1e3,"long":9007199254740993,"yes":true,"text":"0x10"}')).toEqual({
      amount: '12.50',
      e: '1e3',
      long: '9007199254740993',
      yes: 'true',
      text: '0x10',
    })
  })

  test('null is as good as absent', async () => {
    expect(await read('{"amount":"1","toIban":null,"deep":{"a":null,"b":[1,null]}}')).toEqual({
      amount: '1',
      deep: { b: ['1', null] },
    })
  })

  test('a byte order mark and blanks before it do not matter', async () => {
    expect(await read('\ufeff{"amount":"1"}')).toEqual({ amount: '1' })
    expect(await read('\n\t {"amount":"1"}\n')).toEqual({ amount: '1' })
  })

  test('an object of texts is read as it was written', async () => {
    const request = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), {
      noNullPrototype: true,
    })
    await fc.assert(
      fc.asyncProperty(request, async (given) => {
        expect(await read(writeJson(given))).toEqual(given)
      }),
    )
  })
})

describe('YAML', () => {
  test('every scalar is text, whatever else YAML takes it for', async () => {
    expect(await read(lines.join('\n'))).toEqual(kept)
  })

  test('an empty value, ~ and null are as good as absent; in quotes they are text', async () => {
    expect(await read('amount: 1\na:\nb: ~\nc: null\n')).toEqual({ amount: '1' })
    expect(await read('a: ""\nb: "~"\nc: \'null\'\nd: Null\n')).toEqual({ a: '', b: '~', c: 'null', d: 'Null' })
  })

  test('comments, long texts and a byte order mark are read as YAML has them', async () => {
    expect(await read('\ufeff# salary\n---\ndescription: >-\n  Salary,\n  November\namount: 1 # GEL\n')).toEqual({
      description: 'Salary, November',
      amount: '1',
    })
  })

  test('an alias is refused, so that no file unfolds into a flood; an anchor alone is harmless', async () => {
    expect(await read('a: &x 5')).toEqual({ a: '5' })
    expect(await refused('a: &x 5\nb: *x')).toMatch(/neither JSON nor YAML: Alias resolution is disabled/)
    const laughs = [
      'a0: &a0 [x, x]',
      ...Array.from({ length: 30 }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at}, *a${at}]`),
    ]
    expect(await refused(laughs.join('\n'))).toMatch(/neither JSON nor YAML/)
  })

  test('a merge key merges nothing', async () => {
    expect(await read('<<: {amount: 5}\ntoIban: x')).toEqual({ '<<': { amount: '5' }, toIban: 'x' })
  })

  test('a repeated key, nesting without end, two documents and a tabulator as indentation are refused', async () => {
    for (const text of [
      '{"amount":"1","amount":"2"}',
      '['.repeat(100_000),
      'amount: 1\namount: 2',
      'amount: 1\n---\namount: 2',
      'a:\n\tb: 1',
      'a: "x',
      'a: b: c',
    ]) {
      expect(await refused(text)).toMatch(/^--file: stdin is neither JSON nor YAML: [^\n]*[^:\n]$/)
    }
  })

  test('a tag changes nothing, and no remark about it reaches stderr past the program', async () => {
    const warnings: unknown[] = []
    const note = (warning: unknown) => warnings.push(warning)
    process.on('warning', note)
    onTestFinished(() => {
      process.off('warning', note)
    })
    expect(await read('amount: !!float 12.50\nb: !mine x')).toEqual({ amount: '12.50', b: 'x' })
    await new Promise((resolve) => setImmediate(resolve))
    expect(warnings).toEqual([])
  })
})

describe('a payload that is passed through', () => {
  const whole = (text: string) => read(text, 'kinds')

  test('is written again as it was read, whatever JSON it is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }), async (payload) => {
        const text = JSON.stringify(payload)
        expect(writeJson(await whole(text))).toBe(text)
      }),
    )
    const digits = '{"n":9007199254740993,"d":12.50,"e":1E+3,"z":-0,"b":[true,null]}'
    expect(writeJson(await whole(digits))).toBe(digits)
  })

  test('has the kinds of JSON in YAML, and text for everything that JSON does not know', async () => {
    expect(writeJson(await whole([...lines, 'none: ~', 'quoted: "12.50"', 'list: [1, a]'].join('\n')))).toBe(
      writeJson({
        ...kept,
        ...{ amount: new JsonNumber('12.50'), exponent: new JsonNumber('1e3'), yes: true, none: null, quoted: '12.50' },
        ...{ long: new JsonNumber('9007199254740993'), list: [new JsonNumber('1'), 'a'] },
      }),
    )
  })
})

describe('files that are no request', () => {
  test.each(['', '   \n', '# only a comment', '[]', '[{"amount":1}]', '- a\n- b', '"text"', 'just words', '5', 'null'])(
    '%j holds no object with fields',
    async (text) => {
      expect(await refused(text)).toBe('--file: stdin must hold one object with the fields of the request')
    },
  )

  test('more than 1 MiB is refused', async () => {
    expect(await refused(`{"a":"${'x'.repeat(2 * 1024 * 1024)}"}`)).toBe('--file: stdin is larger than 1 MiB')
  })

  test('no text of any kind makes anything but a request or a refusal', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom(...'{}[]:,"\'&*!|>-#% \nab1') }),
    )
    await fc.assert(
      fc.asyncProperty(text, async (text) => {
        const outcome = await read(text).catch((thrown: unknown) => thrown)
        if (outcome instanceof Error) expect(outcome).toBeInstanceOf(Failure)
        else expect(typeof outcome).toBe('object')
      }),
      { numRuns: 500 },
    )
  })

  test('__proto__ is a field like any other and changes nothing', async () => {
    for (const text of ['{"__proto__":{"amount":"1"}}', '__proto__: {amount: 1}']) {
      const request = await read(text)
      expect(Object.keys(request)).toEqual(['__proto__'])
      expect(request.amount).toBeUndefined()
    }
  })
})

describe('files', () => {
  test('on stdin may come slowly and in pieces', async () => {
    const pieces = Readable.from(
      (async function* () {
        for (const piece of ['{"descr', 'iption":"ხ', 'ელფასი"}']) {
          await new Promise((resolve) => setTimeout(resolve, 5))
          yield Buffer.from(piece)
        }
      })(),
    )
    expect(await new RequestFile('-', pieces).fields('text')).toEqual({ description: 'ხელფასი' })
  })

  test('on stdin are read once: asked again they are the same', async () => {
    const file = new RequestFile('-', Readable.from([Buffer.from('uniqueId: a\n')]))
    expect(await file.fields('text')).toEqual({ uniqueId: 'a' })
    expect(await file.fields('text')).toEqual({ uniqueId: 'a' })
    expect(await file.fieldAtEnd('uniqueId')).toBe('a')
  })

  test('tell a field at the end only where they were read or can be, and wait for no stdin', async () => {
    const directory = temporaryDirectory('file')
    const path = join(directory, 'payout.yaml')
    writeFileSync(path, 'uniqueId: a\n')
    const silent = new Readable({ read() {} })
    expect(await new RequestFile(path, silent).fieldAtEnd('uniqueId')).toBe('a')
    expect(await new RequestFile(path, silent).fieldAtEnd('amount')).toBeUndefined()
    expect(await new RequestFile(undefined, silent).fieldAtEnd('uniqueId')).toBeUndefined()
    for (const bad of ['-', directory, join(directory, 'none.yaml')]) {
      await expect(new RequestFile(bad, silent).fieldAtEnd('uniqueId')).rejects.toBeInstanceOf(Failure)
    }
  })
})

describe('what would be sent damaged is refused', () => {
  test('a file in another encoding than UTF-8, by path and by stdin', async () => {
    for (const text of ['{"beneficiaryName":"Müller"}', 'beneficiaryName: Müller\n']) {
      const bytes = Buffer.from(text, 'latin1')
      expect(await refused(bytes)).toContain('is not UTF-8')
      const path = join(temporaryDirectory('latin'), 'pay.json')
      writeFileSync(path, bytes)
      await expect(fieldsOf(path)).rejects.toThrow('is not UTF-8')
      expect(await read(Buffer.from(text))).toEqual({ beneficiaryName: 'Müller' })
    }
  })

  test('half a character and NUL, in a text, in a name, and deeper', async () => {
    const texts = ['{"a":"\\ud800"}', '{"a":"x\\u0000"}', '{"\\udfff":1}', '{"a":[{"b":"\\ud800x"}]}', 'a: "\\0"']
    for (const text of texts) expect(await refused(text), text).toContain('lone surrogate')
    expect(await read('{"a":"\\ud83d\\ude00"}')).toEqual({ a: '\u{1F600}' })
  })
})
