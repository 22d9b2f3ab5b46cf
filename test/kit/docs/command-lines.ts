/** The command lines of a page, and a shell of one person that types them. */
import { execFile } from 'node:child_process'
import { cleanEnv, node, program } from '../program/built-paydesk.ts'

export interface TypedEnd {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Every line of its blocks of `sh` that runs paydesk first: continued lines are one, and remarks are left out. */
export function commandLines(page: string): readonly string[] {
  const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text.replaceAll('\\\n', ' '))
  return blocks
    .flatMap((text) => text.split('\n'))
    .map((line) =>
      line
        .replace(/\s+#\s.*$/, '')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((line) => /^(\w+=\$\()?paydesk /.test(line))
}

/** Runs lines with bash in a folder, where `paydesk` is the program that is tried. */
export function typeIn(folder: string, home: string, line: string): Promise<TypedEnd> {
  const script = `paydesk() { "${node}" "${program}" "$@"; }\n${line}\n`
  const env = cleanEnv(home, { PAYDESK_PROFILE: 'sandbox' })
  return new Promise((resolve) => {
    const child = execFile('bash', ['-c', script], { cwd: folder, env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
  })
}
