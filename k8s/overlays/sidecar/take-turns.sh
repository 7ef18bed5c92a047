#!/bin/sh
# Repeatedly acquires a lock, works for 5 s and releases it, so that one pod works at a time. HOLDFAST_URL: the service.

url=$HOLDFAST_URL/v1/locks/take-turns
owner=$(hostname) # the pod's name, which is unique

say() { echo "$owner: $*"; }

# Prints the answer; fails unless it is 2xx. The timeout is shorter than the grace period of the pod.
call() { curl --silent --show-error --fail-with-body --max-time 15 "$@"; }

# Sleeps in the background, so that a signal is handled at once.
pause() { sleep "$1" & wait $!; }

acquire() {
    call -X POST "$url" -H 'Content-Type: application/json' \
        -d "{\"owner\":\"$owner\",\"lock_id\":\"$lock_id\",\"ttl\":\"60s\",\"wait\":\"10s\"}"
}

# Also called after a missing answer, since the lock may have been granted. If this call fails too, the lease expires
# after 60 s.
release() { call -X DELETE "$url?owner=$owner&lock_id=$lock_id" >/dev/null 2>&1; }

# Real work sends the token to the resource that it changes. The resource refuses a token lower than the highest it has
# seen.
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
