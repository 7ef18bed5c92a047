#!/bin/sh
# Runs a command while holding a Holdfast lock.
#
#   with-lock.sh LOCK COMMAND [ARGUMENT...]
#
# Renews the lease every third of its TTL. When the lease is lost, the command gets SIGTERM at once, and SIGKILL when the
# time that was last granted is over. The lock is released when the command has ended.
#
# HOLDFAST_URL    the service                       (default http://localhost:8080)
# HOLDFAST_TTL    seconds a lease lasts, 6 or more  (default 60)
# HOLDFAST_OWNER  the owner of the lock             (default: host, process and time; must be unique)
#
# The command finds HOLDFAST_LOCK, HOLDFAST_LOCK_ID and HOLDFAST_FENCING_TOKEN in its environment.
#
# Needs curl, setsid, sed and od.
#
# Exit code: the command's own, or
#   64  wrong usage, or the service refused the input
#   69  the service did not answer, so the command was not started
#   75  the lock is held, so the command was not started
#   79  the lease was lost while the command ran, and the command was stopped

USAGE=64 UNAVAILABLE=69 HELD=75 LOST=79
TRIES_MAX=3

say() { echo "with-lock: $*" >&2; }
now() { date +%s; }
text() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }     # the string value of a JSON field
number() { sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p"; }       # the numeric value of a JSON field
json() { printf '%s' "$1" | sed 's/[\\"]/\\&/g'; }        # escaped for a JSON string
in_path() { printf '%s' "$1" | sed 's/%/%25/g; s/#/%23/g; s|/|%2F|g; s/@/%40/g; s/:/%3A/g; s/ /%20/g'; }
pause() { sleep 1 </dev/null >/dev/null 2>&1; }

# Sets $code (000 if there was no answer) and $body.
call() {
    answer=$(curl -s --max-time "$answer_max" -w '\n%{http_code}' "$@" 2>/dev/null </dev/null)
    code=$(printf '%s\n' "$answer" | sed -n '$p')
    body=$(printf '%s\n' "$answer" | sed '$d')
}

uuid() { od -An -N16 -tx1 /dev/urandom | tr -d ' \n' | sed 's/\(.\{8\}\)\(.\{4\}\)\(.\{4\}\)\(.\{4\}\)/\1-\2-\3-\4-/'; }

acquire() {
    first=$(now)
    tries=0
    while [ $((tries += 1)) -le $TRIES_MAX ]; do
        asked=$(now)
        call -X POST "$lock_url" -H 'Content-Type: application/json' \
            -d "{\"owner\":\"$(json "$owner")\",\"ttl\":\"${ttl}s\",\"lock_id\":\"$lock_id\"}"
        case $code in
            201) return ;;
            200)
                # Our lock_id: an earlier attempt succeeded, its answer was lost. Another: another run has this owner.
                [ "$(printf '%s' "$body" | text lock_id)" = "$lock_id" ] ||
                    { say "$owner holds '$lock' already; every run needs an owner of its own"; exit $HELD; }
                asked=$first
                return ;;
            409) say "$(printf '%s' "$body" | text detail)"; exit $HELD ;;
            000 | 5??) pause ;;
            *) say "$(printf '%s' "$body" | text detail) (HTTP $code)"; exit $USAGE ;;
        esac
    done
    say "no lock: $url did not answer $TRIES_MAX times (last: HTTP $code)"
    # One of the attempts may have succeeded.
    call -G -X DELETE "$lock_url" --data-urlencode "lock_id=$lock_id" --data-urlencode "owner=$owner"
    exit $UNAVAILABLE
}

# The lease counts from before the request. After two thirds of the TTL without a renewal it counts as lost.
renew_until_lost() {
    due=$((asked + third))
    while pause; do
        started=$(now)
        [ "$started" -ge "$due" ] || continue
        call -X POST "$lock_url/renew" -H 'Content-Type: application/json' \
            -d "{\"lock_id\":\"$lock_id\",\"owner\":\"$(json "$owner")\",\"ttl\":\"${ttl}s\"}"
        case $code in
            200) asked=$started due=$((asked + third)) ;;
            404) stop_command "$(printf '%s' "$body" | text detail)" ;;
            *) [ "$(now)" -lt $((asked + 2 * third)) ] || stop_command "not renewed in time (last: HTTP $code)" ;;
        esac
    done
}

stop_command() {
    say "lease lost, stopping the command: $1"
    : >"$work/lost"
    signal_all TERM
    while [ "$(now)" -lt $((asked + ttl)) ]; do pause; done
    signal_all KILL
    exit
}

release() {
    [ -z "$renewer" ] || { kill "$renewer"; wait "$renewer"; } 2>/dev/null
    call -G -X DELETE "$lock_url" --data-urlencode "lock_id=$lock_id" --data-urlencode "owner=$owner"
    [ "$code" = 200 ] || [ -e "$work/lost" ] || say "not released (HTTP $code); '$lock' is free in ${ttl} s at the latest"
    rm -r "$work"
}

# Writes its process id, then becomes the command with the same id. It leads its own session, so that a signal to its
# group also reaches the processes that the command has started.
start() { exec setsid sh -c 'echo "$$" >"$1" && shift && exec "$@"' with-lock "$work/pid" "$@"; }
signal_all() { kill -s "$1" -- "-$(cat "$work/pid")" 2>/dev/null; }

[ $# -ge 2 ] || { say 'usage: with-lock.sh LOCK COMMAND [ARGUMENT...]'; exit $USAGE; }
lock=$1
shift
url=${HOLDFAST_URL:-http://localhost:8080}
owner=${HOLDFAST_OWNER:-$(uname -n)-$$-$(now)}
ttl=${HOLDFAST_TTL:-60}
[ "$ttl" -ge 6 ] 2>/dev/null || { say 'HOLDFAST_TTL must be a whole number of seconds, 6 or more'; exit $USAGE; }
third=$((ttl / 3))
answer_max=$((third < 10 ? third : 10))
lock_url=$url/v1/locks/$(in_path "$lock")
renewer=

lock_id=$(uuid)
acquire
HOLDFAST_LOCK=$lock HOLDFAST_LOCK_ID=$lock_id HOLDFAST_FENCING_TOKEN=$(printf '%s' "$body" | number fencing_token)
export HOLDFAST_LOCK HOLDFAST_LOCK_ID HOLDFAST_FENCING_TOKEN
work=$(mktemp -d) || work=/nonexistent
trap release EXIT
: >"$work/pid" || exit $UNAVAILABLE
renew_until_lost 3<&- &
renewer=$!

# Signals to this script are passed to the command. Through fd 3 the background command keeps its standard input.
exec 3<&0
(start "$@" <&3 3<&-) &
command=$!
trap 'signal_all INT' INT
trap 'signal_all TERM' TERM HUP
while wait "$command"; status=$?; kill -0 "$command" 2>/dev/null; do :; done
[ ! -e "$work/lost" ] || status=$LOST
exit "$status"
