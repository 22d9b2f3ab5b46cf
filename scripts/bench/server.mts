/** One of the two servers as a process: `server <paydesk | bare> <directory>`. Tells its parent of itself. */
import { mkdirSync } from 'node:fs'
import { serveBareOne, serveSandbox } from './serve.mts'

const [, , name, directory = ''] = process.argv

mkdirSync(directory, { recursive: true })
const serving = name === 'bare' ? serveBareOne(directory) : serveSandbox(directory)
void serving.then((contestant) => process.send?.(contestant))
