/** The scenarios of docs/scenarios: shell scripts that play in a sandbox of their own, as they stand, with the built program. */
import { spawnSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { cleanEnv, node, program } from '../kit/process.ts'
import { newHome } from '../kit/program.ts'
import { temporaryDirectory } from '../kit/run/temporary.ts'
import { root } from './typed/page.ts'

vi.setConfig({ testTimeout: 120_000 })

const scripts = readdirSync(join(root, 'docs/scenarios'))

/** Runs a script with a `paydesk` that is the built program, or what `line` makes of it. */
function play(script: string, line = 'exec "$NODE" "$PROGRAM" "$@"') {
  const bin = temporaryDirectory('bin')
  writeFileSync(join(bin, 'paydesk'), `#!/bin/sh\n${line}\n`, { mode: 0o755 })
  const more = { NODE: node, PROGRAM: program, TMPDIR: temporaryDirectory('scenario') }
  const env = { ...cleanEnv(newHome(), more), PATH: `${bin}:/usr/bin:/bin` }
  const { status, stdout, stderr } = spawnSync('/bin/sh', [join(root, 'docs/scenarios', script)], {
    env,
    encoding: 'utf8',
  })
  return { status, stdout, stderr, left: readdirSync(more.TMPDIR) }
}

test.each(scripts)('docs/scenarios/%s: everything holds (0), and its sandbox is gone at the end', (script) => {
  const { status, stderr, left } = play(script)
  expect({ status, left }, stderr).toEqual({ status: 0, left: [] })
})

test.each(scripts)('docs/scenarios/%s: what does not hold is told, and is no success', (script) => {
  const { status, left } = play(script, 'echo 17')
  expect({ status, left }).toEqual({ status: 1, left: [] })
})
