/** The judges of a mutant: a test file, or the first 400 stories of the simulator, of all its plays or of those named. */

export const simulate = 'simulate'

/** 400 stories of these plays alone, with commas between them. */
export const playing = (plays: string) => `${simulate} ${plays}`

export const safety = (name: string) => `test/safety/${name}.test.ts`
export const command = (name: string) => `test/commands/${name}.test.ts`
export const lib = (name: string) => `test/lib/${name}.test.ts`

/** Every write against everything that may befall its answer. */
export const everyWrite = lib('desk/line/repeats')
