/** The three stories that are played at real terminals. */
import { enter, type Story } from './story.ts'

const iban = 'GE29NB0000000101904917'
const payee = 'ნინო ბერიძე'
const order = '5a9db0c0-0301-4a11-8c11-000000000301'

const support: Story = {
  name: 'support',
  steps: [
    { said: 'The first look', line: 'paydesk' },
    {
      said: 'A payout, asked for step by step',
      line: 'paydesk payout create --key first',
      answers: [
        [/somebody else/, enter],
        [/the full legal name/, payee, enter],
        [/To which IBAN\?/, iban, enter],
        [/How much is to be paid\?/, '12,50', enter],
        [/must be a plain decimal number/, { key: 'C-u' }, '12.50', enter],
        [/In which currency\?/, enter],
        [/What is it for\?/, 'Refund of a ticket', enter],
        [/Send it\?/, 'send', enter],
      ],
    },
    { said: 'Time goes by', line: 'paydesk sandbox clock advance 1h >/dev/null' },
    { said: 'What was paid today', line: 'paydesk payout list --today --refresh -p sandbox' },
    {
      said: 'What was paid to her',
      line: `paydesk payout list --payee ${payee.split(' ')[0]} -p sandbox --fields name,amount,state`,
    },
    { said: 'One payout', line: 'paydesk payout get 100001 -p sandbox' },
    { said: 'For the beneficiary', line: 'paydesk payout receipt 100001 -p sandbox' },
    { said: 'A word of the service', line: 'paydesk explain 5038' },
    { said: 'A slip', line: 'paydesk payuot get 100001' },
    { said: 'One that there is not', line: 'paydesk payout get 100777 -p sandbox' },
    {
      said: 'An answer gets lost',
      line: 'paydesk sandbox fault add --op payout.create --at after --kind reset --times 9',
    },
    {
      said: 'A payout without an answer',
      line: `paydesk payout create -p sandbox --amount 40 --currency GEL --to-iban ${iban} --beneficiary-name '${payee}' --description Bonus --key lost --yes --timeout 4s`,
    },
    { said: 'The way is clear again', line: 'paydesk sandbox fault clear' },
    { said: 'What is open', line: 'paydesk journal list --state unknown' },
    { said: 'It is resolved', line: 'paydesk resume lost' },
  ],
}

const pay = 'paydesk payout create --file emp-17.json --key payroll-2026-11:emp-17'

const cron: Story = {
  name: 'cron',
  files: {
    'emp-17.json': `${JSON.stringify({ amount: 1200, currency: 'GEL', toIban: iban, beneficiaryName: payee, description: 'Salary' })}\n`,
    'emp-18.json': `${JSON.stringify({ amout: 900, currency: 'GEL', toIban: 'GE29NB0000000101904918', beneficiaryName: payee })}\n`,
    'payroll.csv': `key,amount,currency,description,toIban,beneficiaryName\n01,10.00,GEL,Bonus,${iban},${payee}\n02,20.50,GEL,Bonus,GE60NB0000000123456789,Giorgi Kapanadze\n`,
  },
  steps: [
    { said: 'Nothing is guessed in a script', line: `${pay} </dev/null` },
    { said: 'The sandbox, once for all', line: 'export PAYDESK_PROFILE=sandbox PAYDESK_NO_INPUT=1' },
    {
      said: 'All that is wrong with a file',
      line: 'paydesk payout create --file emp-18.json --yes; echo "ended with $?"',
    },
    { said: 'A dry run', line: `${pay} --dry-run --query confirm` },
    { said: 'Paid', line: `${pay} --confirm "GEL 1200.00" >receipt.txt; echo "ended with $?"` },
    { said: 'Its receipt', line: 'cat receipt.txt' },
    {
      said: 'The same again pays nothing',
      line: `${pay} --confirm "GEL 1200.00" --json --fields replayed,outcome,amount; echo "ended with $?"`,
    },
    {
      said: 'Another sum under the same key',
      line: `${pay} --amount 1300 --confirm "GEL 1300.00"; echo "ended with $?"`,
    },
    { said: 'The lines of a log', line: `${pay} --amount 1300 --confirm "GEL 1300.00" 2>log; cat log` },
    { said: 'A file of payouts', line: 'paydesk batch check payroll.csv' },
    {
      said: 'Its plan',
      line: "paydesk batch plan payroll.csv --json --query planId | tr -d '\"' >plan; paydesk batch show $(cat plan)",
    },
    { said: 'It is paid', line: 'paydesk batch run $(cat plan) --confirm "GEL 30.50"; echo "ended with $?"' },
    { said: 'Codes', line: 'paydesk help exit-codes' },
  ],
}

const developer: Story = {
  name: 'developer',
  files: { 'order.json': `${JSON.stringify({ amount: 30, description: payee })}\n` },
  steps: [
    { said: 'Keys', line: 'paydesk key generate --private-key own.key --bits 2048' },
    {
      said: 'An envelope',
      line: 'paydesk envelope seal --public-key own.key.pub --file order.json >good.json; paydesk envelope open --private-key own.key <good.json',
    },
    {
      said: 'It arrives damaged',
      line: `sed 's/"encryptedData":".../"encryptedData":"/' <good.json >broken.json; paydesk envelope open --private-key own.key <broken.json`,
    },
    { said: 'Without a key', line: 'paydesk envelope inspect <broken.json' },
    { said: 'The doctor', line: 'paydesk envelope doctor --private-key own.key <broken.json; echo "ended with $?"' },
    {
      said: 'A key that does not fit',
      line: 'paydesk key generate --private-key other.key --bits 2048 >/dev/null; paydesk envelope doctor --private-key other.key <good.json',
    },
    {
      said: 'An order',
      line: `paydesk order create -p sandbox --amount 30 --receiver-id ${order} --key story-1 --yes`,
    },
    { said: 'The same as curl', line: 'paydesk payout balance -p sandbox --currency GEL --curl' },
    { said: 'A path of the service', line: "paydesk api GET '/api/distributor/balance/check?currency=GEL' -p sandbox" },
    { said: 'A write is not sent so', line: 'paydesk api POST /api/distributor -p sandbox' },
    { said: 'This machine', line: 'paydesk doctor -p sandbox' },
  ],
}

export const stories: readonly Story[] = [support, cron, developer]
