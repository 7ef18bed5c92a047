#!/bin/sh
# Works for a moment, one pod at a time, again and again. HOLDFAST_URL says where Holdfast is.

url=$HOLDFAST_URL/v1/locks/take-turns
owner=$(hostname) # a pod's name, which nobody else has

say() { echo "$owner: $*"; }

# Prints the answer, and fails unless it is a success. No answer takes longer than the pod has to end.
call() { curl --silent --show-error --fail-with-body --max-time 15 "$@"; }

# In the background, so that a signal need not wait for the end of it.
pause() { sleep "$1" & wait $!; }

acquire() {
    call -X POST "$url" -H 'Content-Type: application/json' \
        -d "{\"owner\":\"$owner\",\"lock_id\":\"$lock_id\",\"ttl\":\"60s\",\"wait\":\"10s\"}"
}

# Also when there was no answer: the lock may be ours all the same. If this is lost too, it is free after 60 s.
release() { call -X DELETE "$url?owner=$owner&lock_id=$lock_id" >/dev/null 2>&1; }

# What changes something shows the token to what it changes, which refuses a lower one than it has seen.
work() {
    say "working, fencing token $1"
    pause 5
}

trap 'exit 0' TERM INT
trap release EXIT

while :; do
    lock_id=$(cat /proc/sys/kernel/random/uuid)
    if lock=$(acquire); then
        work "$(echo "$lock" | sed 's/.*"fencing_token":\([0-9]*\).*/\1/')"
    else
        say "not this time: $lock"
        pause 1
    fi
    release
done
