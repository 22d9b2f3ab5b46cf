/** Tests of the built program need it built from the sources as they are now, whether or not install scripts ran. */
import { execFileSync } from 'node:child_process'

export default function setup(): void {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] })
}
