/** Secrets planted wherever a shop keeps one: no command shows one or leaves one in a file. */
import { completedLines, everyForm, mustCrash, plantedSecrets } from './planted-secrets.ts'

const others = everyForm.filter((form) => form !== 'words' && form !== 'archive' && form !== 'json')

plantedSecrets({
  // An archive is made of a command with --json.
  forms: (at) => ['words', 'archive', ...others.slice(at % others.length).slice(0, 1)],
  crashes: (id) => (mustCrash.includes(id) ? [0, 2, 6] : [0]),
  debugged: ['payout:get', 'order:status'],
  completed: completedLines.slice(0, 2),
})
