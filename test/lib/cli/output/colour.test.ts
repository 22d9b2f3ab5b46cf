import { expect, test } from 'vitest'
import { paint } from '../../../../src/lib/cli/output/colour.ts'
import { type ColourChoice, wantsColour } from '../../../../src/lib/cli/output/wants-colour.ts'

const terminal = { isTTY: true }
const pipe = { isTTY: false }

test.each<[ColourChoice, Record<string, string>, { readonly isTTY?: boolean }, boolean]>([
  ['auto', {}, terminal, true],
  ['auto', {}, pipe, false],
  ['auto', {}, {}, false],
  ['auto', { NO_COLOR: '1' }, terminal, false],
  ['auto', { NO_COLOR: '0' }, terminal, false],
  ['auto', { NO_COLOR: '' }, terminal, true],
  ['auto', { TERM: 'dumb' }, terminal, false],
  ['auto', { TERM: 'xterm-256color' }, terminal, true],
  ['auto', { TERM: 'xterm' }, pipe, false],
  ['auto', { CLICOLOR_FORCE: '1' }, pipe, true],
  ['auto', { CLICOLOR_FORCE: '1', TERM: 'dumb' }, pipe, true],
  ['auto', { CLICOLOR_FORCE: '0' }, pipe, false],
  ['auto', { CLICOLOR_FORCE: '0' }, terminal, true],
  ['auto', { CLICOLOR_FORCE: '' }, pipe, false],
  ['auto', { CLICOLOR_FORCE: '1', NO_COLOR: '1' }, terminal, false],
  ['always', {}, pipe, true],
  ['always', { NO_COLOR: '1', TERM: 'dumb' }, pipe, true],
  ['never', {}, terminal, false],
  ['never', { CLICOLOR_FORCE: '1' }, terminal, false],
])('--color %s with %j on %j: %s', (choice, env, stream, colours) => {
  expect(wantsColour(choice, env, stream)).toBe(colours)
  const painted = paint(choice, env, stream).red('no')
  expect(painted).toBe(colours ? '\u001b[31mno\u001b[39m' : 'no')
})
