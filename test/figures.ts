/** The numbers of cases that the tests try. The tests read them here, and test/readme.test.ts holds the README to them. */

/** [All of it, in continuous integration and with PAYDESK_WHOLE; a slice, in `npm test` every day]. */
export const figures = {
  /** Seeded stories of the simulator. */
  stories: [120, 80],
  /** The same about teams, over a server that loses connections and commits. */
  teams: [16, 12],
  /** Tries at once of two people on two machines: commands of one process. */
  tries: [100, 20],
  /** Processes of theirs at once. */
  pairs: [32, 8],
  /** Processes that create payouts at once. */
  processes: [50, 10],
  /** MiB through a pipe. */
  mebibytes: [5, 1],
  /** Callbacks that reach a listener, and how often it is killed meanwhile. */
  callbacks: [2000, 500],
  kills: [5, 2],
} as const satisfies Readonly<Record<string, readonly [all: number, everyDay: number]>>

/** The same every day. */
export const daily = {
  /** One of so many answers of the hostile service has its turn after every write: in continuous integration, and in `npm test`. */
  faultShare: [6, 16],
  /** One of so many cells of the crash matrix has its turn: in continuous integration, and in `npm test`. */
  crashShare: [80, 160],
  /** The same of its cells over a team's store. */
  teamCrashShare: [300, 900],
  /** Envelopes of other clients, and files of Wycheproof's vectors. */
  envelopes: 90,
  wycheproof: 4,
  /** Mutated envelopes in the tests, and in `npm run fuzz` where no other number is asked for. */
  mutated: 3000,
  fuzzed: 100_000,
} as const
