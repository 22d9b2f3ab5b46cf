/** Secrets planted wherever a shop keeps one: every command in every form, and as the built program with its debug switches on. */
import { completedLines, everyForm, everyLine, plantedSecrets } from './planted-secrets.ts'

plantedSecrets({ forms: () => everyForm, crashes: () => [0, 2, 6], debugged: everyLine, completed: completedLines })
