#!/bin/sh
# A handler for `holdfast work` that shows what a handler must check. Its "clusters" are folders below $CLOUD.
#
#   CLOUD=/tmp/cloud holdfast work --type CREATE,SCALE_WORKERS,DESTROY,JANITOR_DESTROY -- examples/jobs/handler.sh
#
# CLOUD         the folder                                            (required)
# STEP_SECONDS  how long each step of a CREATE takes                  (default 1)
# WORKERS       the number of workers that SCALE_WORKERS aims at      (default 3)
#
# It may be killed at any point, and run again. So it first looks at what exists, continues what an earlier attempt has
# left, and writes nothing once a worker with a higher epoch has written.
#
# Exit code: 0 done, 75 transient (the job is retried), other codes are permanent.
set -eu

TRANSIENT=75 PERMANENT=1
STEPS='network machines software'

folder=${CLOUD:?}/${HOLDFAST_CLUSTER:?}

say() { echo "   [$HOLDFAST_CLUSTER, attempt $HOLDFAST_ATTEMPT by $HOLDFAST_WORKER] $*" >&2; }
progress() { echo "holdfast: progress $*"; }
field() { cat "$folder/$1" 2>/dev/null || echo "${2-}"; }

# Claims the folder for this epoch. A real store must compare and write in one step; files cannot.
fence() {
    seen=$(field epoch 0)
    if [ "$seen" -gt "$HOLDFAST_EPOCH" ]; then
        say "stops: a worker with the higher epoch $seen has begun. Nothing more is written."
        exit $PERMANENT
    fi
    mkdir -p "$folder"
    echo "$HOLDFAST_EPOCH" >"$folder/epoch"
}

create() {
    if [ -e "$folder/ready" ]; then
        say 'exists already: done.'
        return
    fi
    owner=$(field job "$HOLDFAST_JOB_ID")
    if [ "$owner" != "$HOLDFAST_JOB_ID" ]; then
        say "was begun by job $owner, not by this one."
        exit $PERMANENT
    fi
    fence
    echo "$HOLDFAST_JOB_ID" >"$folder/job"
    echo $$ >"$folder/process"
    done=0
    for step in $STEPS; do
        if [ -e "$folder/$step" ]; then
            say "$step: exists, from an earlier attempt."
        else
            fence
            : >"$folder/$step"
            say "$step: created."
            progress $((done * 100 / 3)) "$step"
            sleep "${STEP_SECONDS:-1}"
        fi
        done=$((done + 1))
    done
    fence
    : >"$folder/ready"
    say 'ready.'
}

scale() {
    wanted=${WORKERS:-3}
    [ -e "$folder/ready" ] || { say 'does not exist yet.'; exit $TRANSIENT; }
    if [ "$(field workers)" = "$wanted" ]; then
        say "has $wanted workers already: done."
        return
    fi
    fence
    echo "$wanted" >"$folder/workers"
    say "has $wanted workers."
}

destroy() {
    # The epoch stays when all else is gone, so that an older worker finds it.
    if [ -z "$(ls "$folder" 2>/dev/null | grep -v '^epoch$')" ]; then
        say 'is gone already: done.'
        return
    fi
    fence
    for resource in ready workers job process software machines network; do
        rm -f "$folder/$resource"
    done
    say 'destroyed.'
}

case ${HOLDFAST_JOB_TYPE:?} in
CREATE) create ;;
SCALE_WORKERS) scale ;;
DESTROY | JANITOR_DESTROY) destroy ;;
*) say "cannot do $HOLDFAST_JOB_TYPE."; exit $PERMANENT ;;
esac
