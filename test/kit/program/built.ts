/**
 * Before the first test: the built program as the sources are now, whether or not install scripts ran; and the RSA keys that
 * the run shares.
 */
import { execFileSync } from 'node:child_process'
import { makePool } from '../key-pairs.ts'

export default async function setup(): Promise<() => void> {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] })
  return await makePool()
}
