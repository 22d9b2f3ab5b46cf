/** Registration of a user (specification B4: method and path only). Nothing of its payload is known: it is passed through. */
import { z } from 'zod'
import { scalarReceived } from './answer.ts'
import { argumentBreach } from './assumed.ts'
import { always, textForm } from './core/field.ts'
import { endpoint, movement, usualProof, usualWrite, type WriteOperation } from './operation.ts'
import { never } from './retry-policy.ts'

const registered = z.looseObject({ userId: always(textForm, scalarReceived.nullish()) })

export const registerUser = {
  ...usualWrite,
  name: 'user.register',
  ...endpoint('B', 'POST', '/api/integrator/user'),
  section: 'B4',
  summary: 'register a user, who can then receive payments',
  label: 'Registration',
  done: 'registered',
  about: 'user',
  request: z.looseObject({}),
  breachCode: argumentBreach,
  answer: registered,
  statuses: null,
  idField: null,
  retryPolicy: () => never,
  proof: { ...usualProof, echoes: [], needs: ['userId'], isDone: (status) => status === null },
  moves: () => movement('user'),
} as const satisfies WriteOperation

export const userOperations = [registerUser] as const
