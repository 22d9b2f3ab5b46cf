import { expect, test } from 'vitest'
import { filled, mentioned, wordsOf } from '../../../../src/lib/sandbox/scenarios/words.ts'

test.each([
  ['a  b\n c', ['a', 'b', 'c']],
  [`--name "Nino Beridze" 'a "b"'`, ['--name', 'Nino Beridze', 'a "b"']],
  [`--query='[?a==\`1\`]' ""`, ['--query=[?a==`1`]', '']],
  ['a\\ b "c\\"d" e"f"\'g\'', ['a b', 'c"d', 'efg']],
  ['', []],
])('%j', (line, words) => {
  expect(wordsOf(line)).toEqual(words)
})

test.each(['"a', "it's", 'a "b" \'c'])('%s has a quote that does not end', (line) => {
  expect(wordsOf(line)).toBeNull()
})

test('variables are put in at any depth, keys too, and no value becomes two words', () => {
  const variables = new Map([['id', 'a b']])
  const key = `x=='\${id}'`
  const value = { run: ['get', `\${id}`], expect: { [key]: [`\${id}/\${other}`, 7, null] } }
  expect(filled(value, variables)).toEqual({
    run: ['get', 'a b'],
    expect: { "x=='a b'": [`a b/\${other}`, 7, null] },
  })
  expect([...new Set(mentioned(value))]).toEqual(['id', 'other'])
})
