/** The command lines of a page, and a shell of one person that types them. */
import { execFile } from 'node:child_process'
import { cleanEnv, node, program } from '../../kit/process.ts'

export interface TypedEnd {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

function linesIn(block: string): readonly string[] {
  const lines = block.replaceAll('\\\n', ' ').split('\n')
  const bare = lines.map((line) => line.replace(/(^|\s+)#\s.*$/, '').replace(/\s+/g, ' '))
  return bare.map((line) => line.trim()).filter(Boolean)
}

/** Heading → the lines of the blocks of `sh` below it, in their order: continued lines are one, and remarks are left out. */
export function linesBelow(page: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>()
  let heading = ''
  for (const [, title, block] of page.matchAll(/^#+ (.+)$|^```sh\n([\s\S]*?)^```$/gm)) {
    heading = title ?? heading
    if (block !== undefined) found.set(heading, [...(found.get(heading) ?? []), ...linesIn(block)])
  }
  return found
}

/** Every line of its blocks of `sh`. */
export function shellLines(page: string): readonly string[] {
  return [...linesBelow(page).values()].flat()
}

/** Runs lines with bash in a folder, where `paydesk` is the program that is tried. */
export function typeIn(
  folder: string,
  home: string,
  line: string,
  variables: Readonly<Record<string, string>> = { PAYDESK_PROFILE: 'sandbox' },
): Promise<TypedEnd> {
  const script = `paydesk() { "${node}" "${program}" "$@"; }\n${line}\n`
  const env = cleanEnv(home, variables)
  return new Promise((resolve) => {
    const child = execFile('bash', ['-c', script], { cwd: folder, env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
  })
}

/** The words of a line as a shell reads them; undefined where the shell has more to do than to part it. */
export function plainWords(line: string): readonly string[] | undefined {
  const parts = [...line.matchAll(/'([^']*)'|"([^"\\$`]*)"|([\w\p{L}./:=,@%+…-]+)|(\s+)|([\s\S])/gu)]
  if (parts.some(([, , , , , rest]) => rest !== undefined)) return undefined
  const words: string[] = []
  let within = false
  for (const [, single, double, bare, blank] of parts) {
    if (blank === undefined) words.push(`${within ? words.pop() : ''}${single ?? double ?? bare ?? ''}`)
    within = blank === undefined
  }
  return /^\w+=/.test(words[0] ?? '') ? undefined : words
}
