/** The built program opens a person's editor at a real terminal, and takes UTF-8 only from it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isMissingProgram } from '../../kit/process.ts'
import { Terminal } from '../../screens/terminal.ts'

const noTmux = isMissingProgram('tmux', ['-V'], 'that the built program opens an editor')

function terminalWithEditor(...texts: readonly Buffer[]): Terminal {
  const terminal = new Terminal({ width: 120, hasColours: false })
  onTestFinished(() => terminal.close())
  for (const [at, bytes] of texts.entries()) writeFileSync(join(terminal.folder, `text-${at}`), bytes)
  const script = `#!/bin/sh
n=$(cat '${terminal.folder}/n' 2>/dev/null || echo 0)
cat '${terminal.folder}/text-'$n >"$1"
echo $((n + 1)) >'${terminal.folder}/n'
`
  writeFileSync(join(terminal.folder, 'editor'), script, { mode: 0o700 })
  return terminal
}

const shows = (text: string) => (lines: readonly string[]) => lines.join('\n').includes(text)

test.skipIf(noTmux)(
  'user register at a real terminal: a text from the editor that is not UTF-8 is refused, and asked for again',
  { timeout: 200_000 },
  async () => {
    const terminal = terminalWithEditor(Buffer.from('name: Müller\n', 'latin1'), Buffer.from('name: Müller\n'))
    terminal.type(`VISUAL='${join(terminal.folder, 'editor')}' paydesk user register -p sandbox`)
    terminal.press('Enter')
    await terminal.until(shows('Who is the user?'), 'the question')
    terminal.press('Enter')
    await terminal.until(shows('not valid for encoding utf-8'), 'the complaint')
    terminal.press('Enter')
    await terminal.until(shows('name: "Müller"'), 'the payload')
    await terminal.until(shows('Send it?'), 'the question before it is sent')
    terminal.type('yes')
    terminal.press('Enter')
    await terminal.until(shows('userId'), 'the result')
    expect(terminal.lines().join('\n')).not.toContain('TypeError: Class')
    // The program has ended when the shell answers: it writes to its home until then.
    terminal.type('echo the end is $((1 + 1))')
    terminal.press('Enter')
    await terminal.until(shows('the end is 2'), 'the shell')
  },
)
