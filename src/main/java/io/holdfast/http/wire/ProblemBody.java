package io.holdfast.http.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.holdfast.http.wire.job.JobBody;
import io.holdfast.http.wire.lock.LockBody;
import io.holdfast.http.wire.service.ServiceBody;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;

/** An RFC 9457 problem. {@code detail} is one sentence a person can act on; programs use {@code code}. */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ProblemBody(
        String type,
        String title,
        int status,
        String detail,
        String code,
        String field,
        String allowed,
        LockBody lock,
        Integer waiting,
        List<String> apps,
        String cluster,
        JobBody job,
        ServiceBody service,
        String from,
        String to,
        String subject,
        String action,
        String resource,
        String missing) {

    public static final String MEDIA_TYPE = "application/problem+json";
    private static final String TYPE_PREFIX = "urn:holdfast:problem:";

    public static ProblemBody of(int status, String code, String title, String detail) {
        return new ProblemBody(
                TYPE_PREFIX + code,
                title,
                status,
                detail,
                code,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null);
    }

    public ProblemBody withField(String name, String accepted) {
        return new ProblemBody(
                type, title, status, detail, code, name, accepted, lock, waiting, apps, cluster, job, service, from, to,
                subject, action, resource, missing);
    }

    public ProblemBody withLock(LockBody standing) {
        return new ProblemBody(
                type, title, status, detail, code, field, allowed, standing, waiting, apps, cluster, job, service, from,
                to, subject, action, resource, missing);
    }

    public ProblemBody withWaiting(int waiters) {
        return new ProblemBody(
                type, title, status, detail, code, field, allowed, lock, waiters, apps, cluster, job, service, from, to,
                subject, action, resource, missing);
    }

    public ProblemBody withApps(List<String> names) {
        return new ProblemBody(
                type, title, status, detail, code, field, allowed, lock, waiting, names, cluster, job, service, from,
                to, subject, action, resource, missing);
    }

    public ProblemBody withCluster(String id) {
        return new ProblemBody(
                type, title, status, detail, code, field, allowed, lock, waiting, apps, id, job, service, from, to,
                subject, action, resource, missing);
    }

    public ProblemBody withJob(JobBody standing) {
        return new ProblemBody(
                type, title, status, detail, code, field, allowed, lock, waiting, apps, cluster, standing, service,
                from, to, subject, action, resource, missing);
    }

    public ProblemBody withService(ServiceBody standing) {
        return new ProblemBody(
                type, title, status, detail, code, field, allowed, lock, waiting, apps, cluster, job, standing, from,
                to, subject, action, resource, missing);
    }

    public ProblemBody withDetail(String sentence) {
        return new ProblemBody(
                type, title, status, sentence, code, field, allowed, lock, waiting, apps, cluster, job, service, from,
                to, subject, action, resource, missing);
    }

    /** @param possible the states that are possible instead */
    public ProblemBody withTransition(String present, String wanted, String possible) {
        return new ProblemBody(
                type, title, status, detail, code, field, possible, lock, waiting, apps, cluster, job, service, present,
                wanted, subject, action, resource, missing);
    }

    /** @param grant the grant that is missing, in words */
    public ProblemBody withDenial(String caller, String wanted, String on, String grant) {
        return new ProblemBody(
                type, title, status, detail, code, field, allowed, lock, waiting, apps, cluster, job, service, from, to,
                caller, wanted, on, grant);
    }
}
