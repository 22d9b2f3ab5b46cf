/**
 * A browser that only writes down what it was asked to open, in the place of the person's own: `xdg-open` starts the
 * program that BROWSER names.
 */
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { env } from 'node:process'
import { onTestFinished } from 'vitest'
import { temporaryDirectory } from '../run/temporary.ts'

/** For one test. Gives back the addresses that were opened so far, in order. */
export function standInBrowser(): () => readonly string[] {
  const directory = temporaryDirectory('browser')
  const [program, seen] = [join(directory, 'browser'), join(directory, 'seen')]
  writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$1" >>'${seen}'\n`)
  chmodSync(program, 0o700)
  const before = env.BROWSER
  env.BROWSER = program
  onTestFinished(() => {
    if (before === undefined) delete env.BROWSER
    else env.BROWSER = before
  })
  // A line that has its end: the file is there before the first byte is.
  return () => (existsSync(seen) ? readFileSync(seen, 'utf8').split('\n').slice(0, -1) : [])
}
