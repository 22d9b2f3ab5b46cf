#!/bin/sh
# The answer to the first payout is lost after the service has executed it. The payout is found again, and it is paid once.
# It plays in a sandbox of its own and exits with 0 if everything holds: sh docs/scenarios/lost-answer.sh
set -eu

PAYDESK_HOME=$(mktemp -d)
export PAYDESK_HOME PAYDESK_PROFILE=sandbox PAYDESK_NO_INPUT=1
trap 'rm -rf "$PAYDESK_HOME"' EXIT

# expect <what> <wanted> <actual>
expect() {
  [ "$2" = "$3" ] || { echo "$1 is $3, not $2" >&2; exit 1; }
  echo "$1 is $2"
}

pay() {
  paydesk payout create --amount 12.50 --currency GEL --to-iban GE29NB0000000101904917 \
    --beneficiary-name "Nino Beridze" --description "Invoice 7" --yes --raw "$@"
}

# The connection is cut when the payout is executed; the payout ends well all the same.
paydesk sandbox fault add --op payout.create --at after --kind reset >/dev/null
payout=$(pay --query uniqueId)

expect "number of payouts" 1 "$(paydesk sandbox ledger --query 'length(payouts)')"
expect "id of the payout" "$payout" "$(paydesk sandbox ledger --raw --query 'payouts[0].uniqueId')"
expect "executions" 1 "$(paydesk sandbox ledger --query 'payouts[0].executions')"

# The journal knows both attempts.
expect "outcomes of the attempts" unknown,exists "$(paydesk journal show "$payout" --raw --query "join(',', attempts[].outcome)")"

# The same id again is a repeat, and pays nothing.
expect "outcome of the repeat" exists "$(pay --unique-id "$payout" --query outcome)"
expect "executions after the repeat" 1 "$(paydesk sandbox ledger --query 'payouts[0].executions')"
