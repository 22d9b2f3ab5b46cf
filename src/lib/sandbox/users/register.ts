/** B4: nothing of its payload is known, so it is kept to the letter. The user is then a receiver of type USER (assumed). */
import { registerUser } from '../../contract/user.ts'
import { addUser } from '../../store/sandbox/world.ts'
import { sealedWrite } from '../access/entry.ts'

export const registerRoute = sealedWrite(registerUser, async (db, { text, integrator, around, now }) => {
  const userId = around.random.uuid()
  await addUser(db, { user_id: userId, integrator_id: integrator.identifier, payload: text, created: now })
  return { kind: 'value', value: { userId } }
})
