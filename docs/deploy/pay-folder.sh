#!/bin/sh
# Pays every file of a folder once: payments/<key>.json, each with the fields of `paydesk payout create`. For cron, every few minutes.
#
# stdout is the mail: cron sends what stands there, and that is only that a payment has no definite answer (9). All else is in pay.log.
# The exit code is 9 if a payment is unknown, else that of the last one that was not paid, else 0.
set -eu

PATH=${PAYDESK_PATH:-/usr/local/bin:/usr/bin:/bin}
export PATH
export PAYDESK_HOME="${PAYDESK_HOME:-/var/lib/paydesk}"
export PAYDESK_PROFILE="${PAYDESK_PROFILE:?name the profile that pays}"
export PAYDESK_NO_INPUT=1
umask 077
cd "${1:?name the folder that holds payments/}"
mkdir -p payments paid refused
exec 2>>pay.log

# One run at a time; the next one comes soon. The lock goes with the run, however it ends.
exec 9>pay.lock
flock -n 9 || exit 0

worst=0
note() {
  if [ "$worst" -ne 9 ] && [ "$1" -ne 0 ]; then worst=$1; fi
}

# First what an earlier run left without an answer, under the id that it was sent with.
code=0
paydesk resume --all >>pay.log || code=$?
note "$code"

for file in payments/*.json; do
  [ -e "$file" ] || continue
  key=$(basename "$file" .json)
  code=0
  confirm=$(paydesk payout create --file "$file" --key "$key" --dry-run --query confirm -q) || code=$?
  confirm=${confirm#\"}
  confirm=${confirm%\"}
  # One that would be held (13) is tried all the same: the run keeps it as held, and it can be approved.
  if [ "$code" -eq 0 ] || [ "$code" -eq 13 ]; then
    code=0
    paydesk payout create --file "$file" --key "$key" --confirm "$confirm" >"$key.receipt" || code=$?
  fi
  note "$code"
  case $code in
    0)
      id=$(sed -n 's/^uniqueId  *//p' "$key.receipt")
      echo "$(date +%Y-%m-%dT%H:%M:%S%z | sed 's/..$/:&/') key=$key id=$id accepted" >&2
      mv "$key.receipt" paid/
      mv "$file" paid/
      ;;
    # The file is wrong, the service refused it, or the key was paid with another content: a person has to look.
    2 | 5 | 7) mv "$file" refused/ ;;
    # Unknown, locked, held, or nothing left this machine: it stays, and the next run comes back to it under the same key.
    *) ;;
  esac
  rm -f "$key.receipt"
  # With a damaged journal, no credentials, no network or a stop, the others would fare no better.
  case $code in 1 | 4 | 11 | 130 | 143) break ;; esac
done

if [ "$worst" -eq 9 ]; then
  echo 'A payment has no definite answer. Do not pay it anew: the next run asks again, under the same id. The log says:'
  tail -n 5 pay.log
fi
exit "$worst"
