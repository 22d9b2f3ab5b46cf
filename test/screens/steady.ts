/** Ids, times and numbers that differ from run to run, as something of the same length, so that lines break where they broke. */
import { screenWidth } from '../../src/lib/cli/output/terminal.ts'

const same = (letter: string) => (text: string) => text.replaceAll(/[0-9a-z]/gi, letter)

/** `y`: a digit of a time; `x`: of an id. */
const patterns: readonly (readonly [RegExp, (text: string) => string])[] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, same('x')],
  [/\b(?<=(?:j|b|p|cb|a|r)-)[0-9a-f]{12}/g, same('x')],
  [/\b\d+-[0-9a-f]{24}/g, same('x')],
  [/(?<=127\.0\.0\.1:)\d{5}\b/g, same('y')],
  [/\b\d{4}-\d{2}-\d{2}(?=[ T]\d{2}:\d{2})/g, same('y')],
  [/(?<=[y ]|T|^)\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?/gm, same('y')],
  [/\b\d{4}-\d{2}-\d{2}\b/g, same('y')],
  // The home of a terminal, wherever it lies.
  [/\/(?:[\w.-]+\/)*paydesk-screen-\w{6}\/home-*/g, (text) => `/${'home'.padEnd(text.length - 1, '-')}`],
  [/(?<=SHA256:)[A-Za-z0-9+/=]{20,}/g, same('x')],
  [/\b[0-9a-f]{64}/g, same('x')],
]

/** The colours of a terminal. */
const inked = new RegExp(`${String.fromCharCode(27)}\\[([\\d;]*)m`, 'g')

/** The places of line ends that the terminal made, because a line was full. */
function softEnds(text: string, width: number): ReadonlySet<number> {
  const ends = new Set<number>()
  let at = -1
  for (const line of text.split('\n')) {
    at += line.length + 1
    if (screenWidth(line.replace(inked, '')) >= width) ends.add(at)
  }
  return ends
}

/** A text changed piece by piece as if its lines went on where the terminal broke them; every change keeps the length. */
function acrossLines(text: string, width: number, change: (joined: string) => string): string {
  const ends = softEnds(text, width)
  const joined = [...text].filter((_, at) => !ends.has(at)).join('')
  const changed = [...change(joined)]
  let taken = 0
  return [...text].map((letter, at) => (ends.has(at) ? letter : (changed[taken++] ?? ''))).join('')
}

export function steady(text: string, width: number): string {
  const masked = acrossLines(text, width, (joined) =>
    patterns.reduce((shown, [pattern, instead]) => shown.replace(pattern, instead), joined),
  )
  return masked
    .replaceAll(
      /(read ECONNRESET; next\s+attempt\s+in\s+)[\d.]+(\s+s,\s+under\s+the\s+same\s+id\n)(?:read ECONNRESET; next\s+attempt\s+in\s+[\d.]+\s+s,\s+under\s+the\s+same\s+id\n)*/g,
      '$1y.y$2',
    )
    .replaceAll(/\bx{1,3}(?=-x{24})/g, 'xx')
    .replaceAll(/\d+(?=\s+files\s+and)/g, '9')
    .replaceAll(/node-v[\d.]+/g, 'node-v20.20.2')
    .replaceAll(/Node\s+[\d.]+/g, (found) => found.replace(/[\d.]+$/, '20.20.2'))
    .replaceAll(/[\d.]+ [GM]iB(\s+)free/g, '99.9 GiB$1free')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
}

const names: Readonly<Record<string, string>> = {
  ...{ '': '/', '0': '/', '1': 'bold', '2': 'dim', '4': 'line', '22': '/', '24': '/', '39': '/', '49': '/' },
  ...{ '31': 'red', '32': 'green', '33': 'yellow', '34': 'blue', '35': 'magenta', '36': 'cyan', '90': 'grey' },
}

/** Colours as words in angles, such as ‹red›. */
export function shownColours(text: string): string {
  const shown = text.replaceAll(
    inked,
    (_, codes: string) =>
      `‹${codes
        .split(';')
        .map((code) => names[code] ?? code)
        .join(' ')}›`,
  )
  return shown.replaceAll(/(?:‹\/›)+/g, '‹/›')
}
