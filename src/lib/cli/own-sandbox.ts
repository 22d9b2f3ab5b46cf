/** The sandbox of this person, for the commands that look into it and change it. It is loaded when it is opened. */
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Invocation } from './invocation.ts'

/** Closed when the command ends. */
export async function ownSandbox(invocation: Invocation): Promise<Sandbox> {
  const { openSandbox } = await import('../sandbox/sandbox.ts')
  const { places, edge } = invocation
  const sandbox = await openSandbox(places.sandbox, edge.clock, edge.random)
  invocation.closeAtEnd(() => sandbox.close())
  return sandbox
}
