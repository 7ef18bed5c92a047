package io.holdfast.architecture;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Every package of the program, and the packages that it may use. Each arrow points to a package that stands before it. */
final class Layout {
    static final Map<String, Set<String>> ARROWS = arrows(
            """
            kernel:
            registry:                kernel
            remote:                  kernel

            access.model:            kernel
            access.file:             kernel access.model
            access.token:            kernel remote access.model access.file
            access:                  kernel access.model access.file access.token
            access.audit:

            lock.model:              kernel
            lock.port:               kernel lock.model
            lock.queue:              kernel lock.model lock.port
            lock.keepalive:          kernel lock.model lock.port
            lock.election:           kernel lock.model lock.port lock.queue
            lock.sweep:              kernel lock.model lock.port lock.queue lock.election
            lock:                    kernel lock.model lock.port lock.queue lock.keepalive
            lock.hold:               kernel lock.model lock.port lock.queue lock.keepalive lock
            lock.set:                kernel lock.model lock.port lock.keepalive lock lock.hold

            power.model:             kernel registry lock.model
            power.port:              kernel registry power.model
            power.action:            kernel registry lock.model lock.port lock power.model power.port
            power.reconcile:         kernel registry lock.model power.model power.port power.action
            power:                   kernel registry power.model power.port power.action power.reconcile

            job.model:               kernel lock.model
            job.port:                kernel lock.model lock.port job.model
            job.action:              kernel lock.model lock.port job.model job.port
            job.dispatch:            kernel job.model job.port job.action
            job.janitor:             kernel lock.model lock.port lock.queue lock.election job.model job.port job.action
            job:                     kernel job.model job.port job.action job.dispatch job.janitor

            lifecycle.model:         kernel registry lock.model
            lifecycle.port:          kernel lock.port lifecycle.model
            lifecycle.action:        kernel lock.model lock.port lock lifecycle.model lifecycle.port
            lifecycle.reconcile:     kernel lock.election lifecycle.model lifecycle.port lifecycle.action
            lifecycle.feed:          kernel lifecycle.model lifecycle.port lifecycle.action
            lifecycle:               kernel lifecycle.model lifecycle.port lifecycle.action lifecycle.reconcile
                                     lifecycle.feed

            probe:                   kernel registry remote power.model power.port
            actuator:                kernel registry remote power.port
            observe:                 kernel registry remote power.model power.port lifecycle.model lifecycle.port probe

            store:
            store.codec:             kernel registry lock.model power.model job.model job.port lifecycle.model
            store.embedded.engine:   kernel store
            store.embedded:          kernel registry lock.model lock.port power.model power.port job.model job.port
                                     lifecycle.model lifecycle.port store store.codec store.embedded.engine
            store.dynamodb.call:     kernel store
            store.dynamodb.lock:     kernel lock.model lock.port store.dynamodb.call
            store.dynamodb.database: kernel registry power.model power.port store.codec store.dynamodb.call
            store.dynamodb.job:      kernel lock.port job.model job.port store.codec store.dynamodb.call
                                     store.dynamodb.lock
            store.dynamodb.service:  kernel lifecycle.model lifecycle.port store.codec store.dynamodb.call
            store.dynamodb:          kernel registry lock.port power.port job.port lifecycle.port store
                                     store.dynamodb.call store.dynamodb.lock store.dynamodb.database store.dynamodb.job
                                     store.dynamodb.service

            telemetry:
            telemetry.log:           lock.model lock.port power.model job.model job.port lifecycle.model lifecycle.port
            telemetry.metrics:       kernel registry lock.model lock.port lock.queue lock.keepalive lock.sweep lock.hold
                                     power.model power.port job.model job.port lifecycle.model lifecycle.port
                                     store telemetry.log
            telemetry.tracing:       kernel registry lock.model lock.port power.model power.port job.model job.port

            http.wire.lock:
            http.wire.database:
            http.wire.job:
            http.wire.service:       http.wire.database
            http.wire.access:
            http.wire:               kernel http.wire.lock http.wire.job http.wire.service
            http.edge:               kernel access.model access http.wire
            http.access:             kernel access.model access http.wire http.wire.access http.edge
            http.lock:               kernel access.model lock.model lock.port lock.keepalive lock lock.hold lock.set http.wire
                                     http.wire.lock http.edge
            http.database:           kernel access.model registry lock.model power.model power.port power http.wire http.wire.database
                                     http.edge
            http.job:                kernel access.model job.model job.port job.action job.dispatch job http.wire http.wire.job http.edge
            http.service:            kernel access.model registry lifecycle.model lifecycle.port lifecycle.feed lifecycle http.wire
                                     http.wire.database http.wire.service http.edge http.lock
            http:                    kernel access lock.queue lock lock.hold store http.wire http.edge http.access

            cli.output:
            cli.token:               kernel cli.output
            cli.api:                 kernel remote http.wire.lock cli.output cli.token
            cli.base:                kernel remote http.wire cli.output cli.token cli.api
            cli.process:             cli.output cli.base
            cli.retry:               cli.output cli.api
            cli.session:             kernel http.wire http.wire.lock cli.output cli.api cli.base
            cli.lock:                kernel http.wire.lock cli.output cli.process cli.api cli.base cli.session
            cli.app:                 kernel http.wire.database cli.output cli.api cli.base
            cli.database:            kernel http.wire.database cli.output cli.api cli.base
            cli.cluster:             kernel http.wire.job cli.output cli.api cli.base
            cli.job:                 kernel remote http.wire.job cli.output cli.api cli.base
            cli.work:                kernel remote http.wire.job cli.output cli.process cli.api cli.retry cli.base cli.job
            cli.service:             kernel http.wire.database http.wire.service cli.output cli.process cli.api cli.retry
                                     cli.base cli.app
            cli.table:               cli.output cli.base
            cli.access:              kernel access.file access.model cli.output cli.base
            cli.auth:                access.token cli.output cli.api cli.base
            cli.doctor:              kernel cli.output cli.token cli.api cli.base
            cli:                     kernel cli.output cli.base cli.lock cli.app cli.database cli.cluster cli.job cli.work
                                     cli.service cli.table cli.doctor cli.access cli.auth

            boot.aws:                kernel remote lock.port store store.dynamodb.call store.dynamodb cli.base
            boot.cli:                cli.base cli boot.aws
            boot.settings:           kernel lock.sweep lock power.model job lifecycle probe actuator
            boot:                    kernel registry lock.model lock.port lock.queue lock.sweep lock lock.hold power.port
                                     power.reconcile power job.port job.action job.dispatch job.janitor job
                                     lifecycle.port lifecycle.action lifecycle.feed lifecycle.reconcile lifecycle
                                     lock.election probe actuator access access.token
                                     store store.embedded.engine store.embedded store.dynamodb.call store.dynamodb
                                     telemetry.log telemetry.metrics telemetry.tracing boot.cli boot.settings
            """);

    private Layout() {}

    private static Map<String, Set<String>> arrows(String table) {
        var arrows = new LinkedHashMap<String, Set<String>>();
        Set<String> row = new TreeSet<>();
        for (var word : table.split("\\s+")) {
            if (word.endsWith(":")) {
                row = new TreeSet<>();
                arrows.put(word.substring(0, word.length() - 1), row);
            } else {
                row.add(word);
            }
        }
        return arrows;
    }
}
