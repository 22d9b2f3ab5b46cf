/** A process that adds one profile: arguments are the directory, the name and the flags of `profile add` as JSON. */
import { Readable } from 'node:stream'
import { addProfile } from '../../../src/lib/profile/add.ts'
import { Profiles } from '../../../src/lib/profile/profiles.ts'
import { systemKeyring } from '../../../src/lib/profile/secret.ts'

const [directory = '', name = '', given = '{}'] = process.argv.slice(2)
const profiles = new Profiles(directory)
void addProfile(name, JSON.parse(given), { profiles, keyring: systemKeyring, env: {}, stdin: Readable.from([]) })
