import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applyEdits, readEdit } from '../../../src/lib/contract/edit.ts'
import { readJson, writeJson } from '../../../src/lib/json.ts'

const edited = (payload: string, ...typed: readonly string[]) =>
  writeJson(applyEdits(readJson(payload) as Record<string, unknown>, typed.map(readEdit)))

describe('paths', () => {
  test.each([
    ['a=1', ['a'], '1'],
    ['a.b=1', ['a', 'b'], '1'],
    ['a.0.b=', ['a', '0', 'b'], ''],
    ['a=b=c', ['a'], 'b=c'],
    ['a\\.b.c=1', ['a.b', 'c'], '1'],
    ['a\\\\.b=1', ['a\\', 'b'], '1'],
    ['a b=1', ['a b'], '1'],
  ])('%s', (typed, path, value) => {
    expect(readEdit(typed)).toEqual({ path, value })
  })

  test.each(['', '=1', 'a', 'a.=1', '.a=1', 'a..b=1', '__proto__.x=1', 'a.__proto__=1'])('%s is refused', (typed) => {
    expect(() => readEdit(typed)).toThrow(expect.objectContaining({ kind: 'usage' }))
  })

  test('whatever a name holds, it comes back when its dots and backslashes are escaped', () => {
    const name = fc
      .string({ minLength: 1, unit: 'binary' })
      .filter((each) => each !== '__proto__' && !each.includes('='))
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), fc.string(), (path, value) => {
        const typed = `${path.map((each) => each.replace(/[\\.]/g, '\\$&')).join('.')}=${value}`
        expect(readEdit(typed)).toEqual({ path, value })
      }),
    )
  })

  test('whatever is typed, it is an edit or a usage failure', () => {
    fc.assert(
      fc.property(fc.string(), (typed) => {
        try {
          expect(readEdit(typed).path.length).toBeGreaterThan(0)
        } catch (error) {
          expect(error).toMatchObject({ kind: 'usage' })
        }
      }),
    )
  })
})

describe('values', () => {
  test.each([
    ['{}', 'a=1.50', '{"a":1.50}'],
    ['{}', 'a=9007199254740993', '{"a":9007199254740993}'],
    ['{}', 'a=true', '{"a":true}'],
    ['{}', 'a=null', '{"a":null}'],
    ['{}', 'a="1"', '{"a":"1"}'],
    ['{}', 'a={"b":[1]}', '{"a":{"b":[1]}}'],
    ['{}', 'a=SUCCESS', '{"a":"SUCCESS"}'],
    ['{}', 'a=', '{"a":""}'],
    ['{}', 'a=ხელფასი', '{"a":"ხელფასი"}'],
    ['{"a":"7"}', 'a=8', '{"a":"8"}'],
    ['{"a":"7"}', 'a=null', '{"a":null}'],
    ['{"a":7}', 'a=8', '{"a":8}'],
    ['{"a":1,"b":2}', 'a=3', '{"a":3,"b":2}'],
    ['{"a":[1,2]}', 'a.1=3', '{"a":[1,3]}'],
    ['{"a":[1,2]}', 'a.2=3', '{"a":[1,2,3]}'],
    ['{"a":null}', 'a.b=1', '{"a":{"b":1}}'],
    ['{}', 'toString=1', '{"toString":1}'],
    ['{}', 'constructor.x=1', '{"constructor":{"x":1}}'],
  ])('%s with %s', (payload, typed, expected) => {
    expect(edited(payload, typed)).toBe(expected)
  })

  test.each([
    ['{"a":1}', 'a.b=1'],
    ['{"a":[1]}', 'a.2=1'],
    ['{"a":[1]}', 'a.x=1'],
    ['{"a":[1]}', 'a.-1=1'],
    ['{"a":"x"}', 'a.length=1'],
  ])('%s has no place for %s', (payload, typed) => {
    expect(() => edited(payload, typed)).toThrow(expect.objectContaining({ kind: 'usage' }))
  })

  test('several, one after the other', () => {
    expect(edited('{"a":{"b":1}}', 'a.c=2', 'a.c=3', 'd=4')).toBe('{"a":{"b":1,"c":3},"d":4}')
  })

  test('members that are not named stay as they were, and the given payload too', () => {
    const names = fc.string({ minLength: 1 }).filter((name) => !/[.\\=]|^__proto__$|^new$/.test(name))
    const payloads = fc.dictionary(names, fc.jsonValue({ maxDepth: 2 }))
    fc.assert(
      fc.property(payloads, (payload) => {
        const before = readJson(JSON.stringify(payload)) as Record<string, unknown>
        const after = applyEdits(before, [readEdit('new=1')])
        expect(writeJson(before)).toBe(writeJson(readJson(JSON.stringify(payload))))
        const { new: added, ...rest } = after
        expect(writeJson(added)).toBe('1')
        expect(writeJson(rest)).toBe(writeJson(before))
      }),
    )
  })
})
