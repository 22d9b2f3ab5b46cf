/**
 * Before the first test: the built program as the sources are now, whether or not install scripts ran; the one
 * directory that everything temporary is made in, and the RSA keys that the run shares.
 */
import { execFileSync } from 'node:child_process'
import { makePool } from '../key-pairs.ts'
import { offerServices } from './services.ts'
import { makeRunDirectory } from './temporary.ts'

export default async function setup(): Promise<() => Promise<void>> {
  const removeRunDirectory = makeRunDirectory()
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] })
  await makePool()
  const endServices = await offerServices()
  return async () => {
    await endServices()
    removeRunDirectory()
  }
}
