/** The variables that commands obey, as help tells them. */
import type { HelpRow } from './page.ts'

export const variableRows: readonly HelpRow[] = [
  ['PAYDESK_PROFILE', 'who to be to the service, where --profile does not say it'],
  ['PAYDESK_HOME', 'the one directory of settings, journal, plans and the sandbox'],
  ['PAYDESK_STORE', 'the Postgres of a team, an address without a password: its journal, approvals and plans'],
  ['PAYDESK_NO_INPUT', '1: never ask'],
  ['PAYDESK_CLIENT_SECRET', 'the client secret, whatever the profile names'],
  ['PAYDESK_PRIVATE_KEY_FILE', 'the file of your private key, whatever the profile names'],
  ['PAYDESK_PERSON_KEY', 'the file of your own key, where --person-key does not name it'],
  ['NO_COLOR, CLICOLOR_FORCE', 'no colours; colours in a pipe, too'],
  ['HTTPS_PROXY, HTTP_PROXY, NO_PROXY', 'the way out'],
  ['TZ', 'the zone of the times that people read'],
]
