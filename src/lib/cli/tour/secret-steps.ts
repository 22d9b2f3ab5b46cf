/** The client secret in the tour: typed unseen into the keyring or a new file, or named where it is. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { secretOf } from '../../profile/secrets/secret.ts'
import { environmentName } from '../../profile/settings/stored.ts'
import { fileRule, newFileRule } from './file.ts'
import type { Answers, TourStep } from './step.ts'
import { uses } from './use.ts'

export const secretPlaces = {
  keyring: 'in the keyring of this machine',
  newFile: 'in a new file that only you can read',
  file: 'in a file that is there already',
  variable: 'in an environment variable',
  nowhere: 'nowhere yet',
} as const

const isIn = (said: Answers, ...places: readonly string[]) => places.includes(said.secretPlace ?? '')

const placeHelp: readonly (readonly [string, string])[] = [
  [secretPlaces.keyring, 'you type it now, unseen'],
  [secretPlaces.newFile, 'you type it now, unseen; the file is made with mode 0600'],
  [secretPlaces.file, 'it stays there'],
  [secretPlaces.variable, 'for a cron job or a container that sets it'],
  [secretPlaces.nowhere, 'payouts will need PAYDESK_CLIENT_SECRET'],
]

/** A name beside the configuration that no file has yet. */
export function freePath(directory: string, name: string, ending: string, endings: readonly string[] = ['']): string {
  const isFree = (path: string) => endings.every((each) => !existsSync(`${path}${each}`))
  for (let nth = 1; ; nth += 1) {
    const path = join(directory, `${name}${nth === 1 ? '' : `-${nth}`}${ending}`)
    if (isFree(path)) return path
  }
}

/** `hasKeyring`: this machine has one that works. `hide`: a secret that no line may show from now on. */
export function secretSteps(
  directory: string,
  hasKeyring: boolean,
  hide: (secret: string) => void,
): readonly TourStep[] {
  const typesIt = (said: Answers) => isIn(said, secretPlaces.keyring, secretPlaces.newFile)
  const options = placeHelp
    .filter(([value]) => hasKeyring || value !== secretPlaces.keyring)
    .map(([value, description]) => ({ value, description }))
  return [
    {
      name: 'secretPlace',
      when: (said) => uses(said, 'payouts'),
      question: () => ({ kind: 'choice', message: 'Where shall the client secret be?', options }),
    },
    {
      name: 'secret',
      when: typesIt,
      question: () => ({
        kind: 'hidden',
        message: 'What is the client secret?',
        wrong: (typed) => {
          hide(typed)
          const read = secretOf(typed)
          return read.ok ? null : `The secret ${read.complaint}`
        },
      }),
    },
    {
      name: 'newSecretFile',
      when: (said) => isIn(said, secretPlaces.newFile),
      question: (said) => ({
        kind: 'text',
        message: 'In which new file?',
        usual: freePath(directory, said.name ?? '', '.secret'),
        wrong: newFileRule(existsSync),
      }),
    },
    {
      name: 'client-secret-file',
      when: (said) => isIn(said, secretPlaces.file),
      question: () => ({ kind: 'text', message: 'In which file is the client secret?', wrong: fileRule('secret') }),
    },
    {
      name: 'client-secret-env',
      when: (said) => isIn(said, secretPlaces.variable),
      question: () => ({
        kind: 'text',
        message: 'Which environment variable has the client secret?',
        wrong: (typed) => (environmentName.test(typed) ? null : 'It must be a name, such as ACME_SECRET.'),
      }),
    },
  ]
}
