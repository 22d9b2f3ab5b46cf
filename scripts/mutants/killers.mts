/** The judges of a mutant: a test file, or stories of the simulator: 1,200 of all its plays, or 400 of those named. */

export const simulate = 'simulate'

/** 400 stories of these plays alone, with commas between them; `first` is their first seed. */
export const playing = (plays: string, first = 1) =>
  first === 1 ? `${simulate} ${plays}` : `${simulate} ${plays} ${first}`

export const safety = (name: string) => `test/safety/${name}.test.ts`
export const command = (name: string) => `test/commands/${name}.test.ts`
export const lib = (name: string) => `test/lib/${name}.test.ts`

/** Every write against everything that may befall its answer. */
export const everyWrite = lib('desk/line/repeats')
