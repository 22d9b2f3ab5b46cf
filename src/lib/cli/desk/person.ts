/** The person at this machine, by a key in a file of theirs. */
import { Flags } from '@oclif/core'
import type { PersonKey } from '../../approvals/persons/person-key.ts'
import { Failure } from '../../failure.ts'
import { blank, hint, paste } from '../../hint.ts'
import type { Invocation } from '../invocation.ts'
import { personKeyVariable } from './journal-place.ts'

export const personFlags = {
  'person-key': Flags.string({
    description: `file of your private key; ${personKeyVariable} says the same`,
    helpValue: '<file>',
  }),
}

/** Throws credentials (4): no key is named, or it cannot be used. */
export async function personKeyOf(
  { edge }: Invocation,
  { 'person-key': typed }: { readonly 'person-key'?: string | undefined },
): Promise<PersonKey> {
  const path = typed ?? edge.env[personKeyVariable]
  if (!path) {
    throw new Failure('credentials', 'this is signed by a person, and no key is named', {
      moneyMoved: 'no',
      hints: [
        hint`--person-key <file>, or ${personKeyVariable}=<file>.`,
        hint`\`${paste('team key generate', blank('<file>'))}\` makes a key.`,
      ],
    })
  }
  const { readPersonKey } = await import('../../approvals/persons/person-key.ts')
  return readPersonKey(path)
}
