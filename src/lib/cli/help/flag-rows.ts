/** Flags and arguments of a command as its help shows them. */
import type { Config } from '@oclif/core'
import type { HelpRow } from './page.ts'
import { underlined } from './wrap.ts'

type Loadable = Config['commands'][number]
type Flag = Loadable['flags'][string]
export type NamedFlag = readonly [name: string, flag: Flag]

/** The group of the flags that every command has. */
export const globalGroup = 'GLOBAL'

function flagValue(flag: Flag): string {
  if (flag.type !== 'option') return ''
  const values = [flag.helpValue ?? (flag.options ? '<option>' : '<value>')].flat()
  const value = values.map((each) => `${each}${flag.multiple ? '...' : ''}`).join(' ')
  return `=${value.includes('|') ? value : `${underlined.from}${value}${underlined.to}`}`
}

function labelOf([name, flag]: NamedFlag): string {
  const long = flag.type === 'boolean' && flag.allowNo ? `--[no-]${name}` : `--${name}`
  return `${flag.char ? `-${flag.char}, ` : '    '}${long}${flagValue(flag)}`
}

function saidOf(flag: Flag): string {
  const text = flag.summary || flag.description || ''
  const usual = flag.type === 'option' && flag.default ? `[default: ${flag.default}] ` : ''
  const options = flag.type === 'option' && flag.options && !flag.helpValue ? flag.options.join('|') : null
  return `${flag.required ? '(required) ' : ''}${usual}${text}${options === null ? '' : `\n<options: ${options}>`}`.trim()
}

/** Room for the letter of a flag is left where one of them has one. */
export function flagRows(flags: readonly NamedFlag[]): readonly HelpRow[] {
  const hasLetters = flags.some(([, { char }]) => char !== undefined)
  return flags.map((each) => {
    const label = labelOf(each)
    return [hasLetters ? label : label.replace('    ', ''), saidOf(each[1]) || null]
  })
}

/** All of them in a line: `-p/--profile, --json`. */
export function flagNames(flags: readonly NamedFlag[]): string {
  return flags.map(([name, { char }]) => (char ? `-${char}/--${name}` : `--${name}`)).join(', ')
}

/** `<id>`, or `[<id>]` where the command does without; `...` behind the one that takes the rest of the line. */
export function argNames({ args, strict }: Loadable): readonly string[] {
  const shown = Object.values(args).filter(({ hidden }) => !hidden)
  return shown.map(({ name, required }) => {
    const full = `<${name}>${strict === false ? '...' : ''}`
    return required ? full : `[${full}]`
  })
}

export function argRows(command: Loadable): readonly HelpRow[] {
  const names = argNames(command)
  const shown = Object.values(command.args).filter(({ hidden }) => !hidden)
  return shown.map(({ options, description = '' }, at): HelpRow => {
    const said = `${options ? `(${options.join('|')}) ` : ''}${description}`
    return [names[at] ?? '', said || null]
  })
}
