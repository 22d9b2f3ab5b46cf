/** The sandbox of this person, for the commands that look into it and change it. It is loaded when it is opened. */
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Invocation } from './invocation.ts'

/** Closed when the command ends. `directory` is that of another sandbox. */
export async function ownSandbox(invocation: Invocation, directory?: string): Promise<Sandbox> {
  const { openSandbox } = await import('../sandbox/sandbox.ts')
  const { places, edge } = invocation
  const sandbox = await openSandbox(directory ?? places.sandbox, edge.clock, edge.random)
  invocation.closeAtEnd(() => sandbox.close())
  return sandbox
}
