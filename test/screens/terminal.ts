/** A real terminal: a shell in tmux, of a given width, in which lines are typed and whose screen is read. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { node, program } from '../kit/process.ts'
import { temporaryDirectory, temporaryPlaces } from '../kit/run/temporary.ts'

const prompt = '$'
/** The length of the path of a home, unless the temporary directory is too deep: lines that show it break in the same place. */
export const homeLength = 100
/** Milliseconds for one command on a slow machine. */
const patience = 90_000

export interface Look {
  readonly width: number
  /** False: with NO_COLOR. */
  readonly hasColours: boolean
}

export class Terminal {
  readonly folder = temporaryDirectory('screen')
  readonly home = join(this.folder, 'home'.padEnd(homeLength - this.folder.length - 1, '-'))

  constructor({ width, hasColours }: Look) {
    const { home } = this
    const bin = join(this.folder, 'bin')
    for (const each of [home, bin]) mkdirSync(each)
    writeFileSync(join(bin, 'paydesk'), `#!/bin/sh\nexec '${node}' '${program}' "$@"\n`, { mode: 0o755 })
    const env = {
      ...{ PATH: `${bin}:${process.env.PATH}`, HOME: home, PAYDESK_HOME: join(home, 'desk'), PS1: `${prompt} ` },
      // Nothing is written to the home when the shell is hung up: it is being removed then.
      HISTFILE: '',
      ...{ LANG: 'C.UTF-8', TZ: 'Asia/Tbilisi', TERM: 'screen-256color', ...temporaryPlaces() },
      ...(hasColours ? {} : { NO_COLOR: '1' }),
    }
    const words = Object.entries(env).map(([name, value]) => `${name}=${value}`)
    const shell = ['env', '-i', ...words, 'bash', '--norc', '--noprofile']
    const settings = join(this.folder, 'tmux.conf')
    writeFileSync(settings, 'set -g history-limit 20000\n')
    this.#tmux('-f', settings, 'new-session', '-d', '-x', String(width), '-y', '400', '-c', home, ...shell)
  }

  #tmux(...argv: readonly string[]): string {
    // The path of a socket may have 108 bytes: it is named from its folder.
    return execFileSync('tmux', ['-u', '-S', 'tmux', ...argv], { cwd: this.folder, encoding: 'utf8' })
  }

  close(): void {
    this.#tmux('kill-server')
  }

  /** Puts a file into the home. */
  put(name: string, text: string): void {
    writeFileSync(join(this.home, name), text, { mode: 0o600 })
  }

  /** All that was on the screen since its start, line by line, with its colours where they are asked for. */
  lines(withColours = false): readonly string[] {
    const text = this.#tmux('capture-pane', '-p', ...(withColours ? ['-e'] : []), '-S', '-')
    return text.trimEnd().split('\n')
  }

  type(keys: string): void {
    this.#tmux('send-keys', '-l', keys)
  }

  press(key: string): void {
    this.#tmux('send-keys', key)
  }

  /** Waits until the last line is as it should be. */
  async until(isThere: (lines: readonly string[]) => boolean, what: string): Promise<void> {
    for (const end = Date.now() + patience; Date.now() < end; await wait(40)) if (isThere(this.lines())) return
    throw new Error(`${what} never came:\n${this.lines().join('\n')}`)
  }

  /** Waits until the shell asks for the next line. */
  untilPrompt(from: number): Promise<void> {
    return this.until((lines) => lines.length > from && lines.at(-1)?.trimEnd() === prompt, 'the prompt')
  }
}
