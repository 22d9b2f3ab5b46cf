#!/bin/sh
# Pays every file of a folder once: payments/<key>.json, each with the fields of `paydesk payout create`. For cron, every few minutes.
#
# stdout is the mail: cron sends what stands there, and that is only what a person has to look at: a payment without a definite answer
# (9), a file that cannot be handled, a run that ended early (1, 4). All else is in pay.log.
# The exit code is 9 if a payment is unknown, else that of the last one that was not paid, else 0.
set -eu

# Where this script itself fails, nobody reads its exit code: the mail says so.
ended=
trap '[ "$ended" ] || echo "pay-folder.sh ended early, with code $?. Files may be left in payments/; pay.log says why."' EXIT

PATH=${PAYDESK_PATH:-/usr/local/bin:/usr/bin:/bin}
export PATH
export PAYDESK_HOME="${PAYDESK_HOME:-/var/lib/paydesk}"
export PAYDESK_PROFILE="${PAYDESK_PROFILE:?name the profile that pays}"
export PAYDESK_NO_INPUT=1
umask 077
CDPATH='' cd -- "${1:?name the folder that holds payments/}"
mkdir -p payments paid refused
exec 2>>pay.log

# One run at a time; the next one comes soon. The lock goes with the run, however it ends.
exec 9>pay.lock
flock -n 9 || { ended=yes; exit 0; }

worst=0
mail=
line_break='
'
note() {
  if [ "$worst" -ne 9 ] && [ "$1" -ne 0 ]; then worst=$1; fi
}

# A line of the log. A name may hold whatever a file name may: a line break in it would make two lines.
log() {
  printf '%s key=%s %s\n' "$(date +%Y-%m-%dT%H:%M:%S%z | sed 's/..$/:&/')" "$(printf %s "$key" | tr '\000-\037\177' '?')" "$1" >&2
}

# Something that a person has to look at: a line of the log, and a mail. It stops no other file.
alarm() {
  log "$1"
  note "${2:-1}"
  mail="$mail
$(printf %s "$key" | tr '\000-\037\177' '?'): $1"
}

put() {
  mv -f -- "$1" "$2" || alarm "could not be moved to $2"
}

# First what an earlier run left without an answer, under the id that it was sent with.
resumed=0
paydesk resume --all >>pay.log || resumed=$?
# What is unknown now may be accepted below, under the same key: that is asked at the end.
[ "$resumed" -eq 9 ] || note "$resumed"

rejected=0
for file in payments/*.json; do
  [ -e "$file" ] || [ -L "$file" ] || continue
  key=${file#payments/}
  key=${key%.json}
  # A pipe would be waited for; a directory and a link that leads nowhere hold no payment.
  if ! [ -f "$file" ]; then
    alarm 'is no regular file'
    put "$file" refused/
    continue
  fi
  case $key in
    -* | ' '* | *' ' | *"$line_break"*)
      alarm 'is no key: it begins with "-", or has a blank at an end or a line break in it'
      put "$file" refused/
      continue
      ;;
  esac
  if ! true >./.receipt; then
    alarm 'no receipt can be written here: is the disk full?'
    break
  fi
  code=0
  confirm=$(paydesk payout create --file="./$file" --key="$key" --dry-run --query confirm -q) || code=$?
  confirm=${confirm#\"}
  confirm=${confirm%\"}
  # One that would be held (13) is tried all the same: the run keeps it as held, and it can be approved.
  if [ "$code" -eq 0 ] || [ "$code" -eq 13 ]; then
    code=0
    paydesk payout create --file="./$file" --key="$key" --confirm="$confirm" >./.receipt || code=$?
  fi
  note "$code"
  case $code in
    0)
      log "id=$(sed -n 's/^uniqueId  *//p' ./.receipt) accepted"
      put ./.receipt "paid/$key.receipt"
      put "$file" paid/
      ;;
    # The file is wrong, the service refused it, or the key was paid with another content: a person has to look.
    2 | 7) put "$file" refused/ ;;
    5)
      # Turned away (429) is not refused: it stays, and the next run sends it.
      busy=$(paydesk journal list --state turned-away --named="$key" --output csv --fields journalId | sed 1d) || busy=
      [ "$busy" ] || put "$file" refused/
      ;;
    # Unknown, locked, held, or nothing left this machine: it stays, and the next run comes back to it under the same key.
    *) ;;
  esac
  # With a damaged journal, no network or a stop, the others would fare no better; nor with wrong credentials, but these may be refused
  # for what one file asks for.
  case $code in
    4) rejected=$((rejected + 1)) ;;
    *) rejected=0 ;;
  esac
  case $code in 1 | 4) alarm "ended with code $code" "$code" ;; esac
  case $code in 1 | 11 | 130 | 143) break ;; esac
  [ "$rejected" -lt 2 ] || break
done
rm -f ./.receipt

# The journal knows what is unknown still. Where it cannot be read, that is not known to be nothing.
if [ "$resumed" -eq 9 ] && [ "$worst" -ne 9 ]; then
  left=$(paydesk journal list --state unknown --output csv --fields journalId | sed 1d) || left=unread
  [ -z "$left" ] || worst=9
fi

ended=yes
if [ "$worst" -eq 9 ]; then
  echo 'A payment has no definite answer. Do not pay it anew: the next run asks again, under the same id. The log says:'
  tail -n 5 pay.log
fi
if [ "$mail" ]; then
  printf 'A person has to look at this:%s\nThe log, pay.log, says more.\n' "$mail"
fi
exit "$worst"
