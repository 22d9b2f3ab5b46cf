/** The flag of the commands that serve: names under which a tunnel or a proxy of the user leads to them. */
import { Flags } from '@oclif/core'

export const allowHostFlag = Flags.string({
  description: 'a host name of your own that leads here, such as a tunnel; several may be given',
  helpValue: '<name>',
  multiple: true,
  multipleNonGreedy: true,
})
