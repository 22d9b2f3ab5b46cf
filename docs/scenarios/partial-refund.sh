#!/bin/sh
# An order is paid at the checkout with a test card, and a part of it is refunded.
# It plays in a sandbox of its own and exits with 0 if everything holds: sh docs/scenarios/partial-refund.sh
set -eu

PAYDESK_HOME=$(mktemp -d)
export PAYDESK_HOME PAYDESK_PROFILE=sandbox PAYDESK_NO_INPUT=1
trap 'rm -rf "$PAYDESK_HOME"' EXIT

# expect <what> <wanted> <actual>
expect() {
  [ "$2" = "$3" ] || { echo "$1 is $3, not $2" >&2; exit 1; }
  echo "$1 is $2"
}

order=$(paydesk order create --amount 40.00 --receiver-id 5a9db0c0-0301-4a11-8c11-000000000301 --yes --raw --query integratorOrderId)

# Nobody has paid yet, so nothing can be refunded.
code=0
paydesk order refund "$order" --amount 15.00 --yes 2>/dev/null || code=$?
expect "exit code of a refund before the payment" 5 "$code"

expect "status after the payment" SUCCESS "$(paydesk sandbox trigger paid --order "$order" --raw --query status)"

# Fifteen of forty are refunded; the bank takes a while.
paydesk order refund "$order" --amount 15.00 --key return-1 --yes >/dev/null
expect "status before the bank answers" REFUND_REQUESTED "$(paydesk order status "$order" --raw --query status)"

paydesk sandbox clock advance 1h >/dev/null
expect "status an hour later" PARTIALLY_REFUNDED "$(paydesk order status "$order" --raw --query status)"
expect "charges, refunds, refunded sum" 1,1,15 \
  "$(paydesk sandbox ledger --raw --query "join(',', map(&to_string(@), orders[0].[charges, refunds, refunded]))")"
