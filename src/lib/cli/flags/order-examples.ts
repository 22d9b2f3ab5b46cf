/** The smallest order of every kind as a command line that runs against the sandbox, for the help of `order create`. */
const receiver = '5a9db0c0-0301-4a11-8c11-000000000301'

const lines: readonly (readonly [description: string, flags: string, profile?: string, amount?: string])[] = [
  ['Save a card', '--direct-link-provider BOG --save-card'],
  ['Pay with a saved card', '--card-token-file card.token --wait'],
  ['Subscription', '--direct-link-provider BOG --save-card --plan monthly:1:9.90', 'sandbox', '0'],
  [
    'Split between two recipients',
    `--split BRANCH:${receiver}=10.00 --split USER:5a9db0c0-0311-4a11-8c11-000000000311=2.50`,
  ],
  ['Open banking', '--open-banking-link-provider TBC'],
  ['Bank card', '--direct-link-provider DEFAULT'],
  ['Cryptocurrency', '--crypto-payment-provider CITYPAY'],
  ['Installment', '--installment-payment-provider CREDO --personal-number 01001000001 --no-is-foreign'],
  ['Expiring order', '--valid-until "2099-12-31 23:59:59"'],
  [
    'Payment to the treasury',
    '--property PERSONAL_NUMBER=01001000001 --property "PAYER_NAME=Nino Beridze" --property "PURPOSE=State fee" --property IS_FOREIGN=false',
    'sandbox-treasury',
  ],
  [
    'Traffic fine',
    '--property SERVICE_PROVIDER_CODE=PROVIDER --property SERVICE_CODE=FINE --property ENTITY_IDENTIFIER=AB123456 --property CAR_IDENTIFIER=AA001BB',
    'sandbox-traffic-fine',
  ],
]

export const orderExampleLines = lines.map(([description, flags, profile = 'sandbox', amount = '12.50']) => ({
  description,
  command: `<%= config.bin %> order create -p ${profile} --amount ${amount} --receiver-id ${receiver} ${flags} --yes`,
}))
