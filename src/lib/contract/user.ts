/** Registration of a user (specification B4: method and path only). Nothing of its payload is known: it is passed through. */
import { z } from 'zod'
import { scalarReceived } from './answer.ts'
import { argumentBreach } from './assumed.ts'
import { always, formsOf, textForm } from './core/field.ts'
import { movement, usualProof, usualWrite, type WriteOperation } from './operation.ts'
import { never } from './repeats.ts'

const registered = z.looseObject({ userId: always(textForm, scalarReceived.nullish()) })

export const registerUser = {
  ...usualWrite,
  name: 'user.register',
  area: 'B',
  section: 'B4',
  summary: 'register a user, who can then receive payments',
  label: 'Registration',
  done: 'registered',
  about: 'user',
  method: 'POST',
  path: '/api/integrator/user',
  carriedIn: 'body',
  wire: 'sealed',
  request: z.looseObject({}),
  breachCode: argumentBreach,
  answer: registered,
  answerForms: formsOf(registered),
  statuses: null,
  idField: null,
  repeats: () => never,
  proof: { ...usualProof, echoes: [], needs: ['userId'], isDone: (status) => status === null },
  moves: () => movement('user'),
} as const satisfies WriteOperation

export const userOperations = [registerUser] as const
