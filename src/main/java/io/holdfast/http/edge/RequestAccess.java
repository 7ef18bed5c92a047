package io.holdfast.http.edge;

import io.holdfast.access.AccessService;
import io.holdfast.access.model.AccessDecision;
import io.holdfast.access.model.AccessDecision.Denied;
import io.holdfast.access.model.Action;
import io.holdfast.access.model.Caller;
import io.holdfast.access.model.NameScope;
import io.holdfast.access.model.Permission;
import io.holdfast.access.model.ResourceKind;
import io.holdfast.kernel.Subject;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Optional;

/**
 * What the caller of one request may do. Each question is answered by the grants that are in force then. Without access
 * control there is no caller, and everything is allowed.
 */
public final class RequestAccess {
    /** Stands for the names of a kind in a refusal that is not about one name. */
    static final String ANY_NAME = "*";

    private static final String KEY = RequestAccess.class.getName();
    private static final RequestAccess OPEN = new RequestAccess(null, null);
    private static final NameScope EVERYTHING = new NameScope(List.of(""));

    private final AccessService service;
    private final Caller caller;

    private RequestAccess(AccessService service, Caller caller) {
        this.service = service;
        this.caller = caller;
    }

    /** For a request that was authenticated. */
    static void set(RoutingContext exchange, AccessService service, Caller caller) {
        exchange.put(KEY, new RequestAccess(service, caller));
    }

    static boolean isSet(RoutingContext exchange) {
        return exchange.get(KEY) != null;
    }

    public static RequestAccess of(RoutingContext exchange) {
        RequestAccess access = exchange.get(KEY);
        return access == null ? OPEN : access;
    }

    /** Absent without access control. */
    public Optional<Caller> caller() {
        return Optional.ofNullable(caller);
    }

    public Optional<Subject> subject() {
        return caller().map(Caller::subject);
    }

    public boolean allows(Action action, ResourceKind kind, String name) {
        return caller == null || refusal(action, kind, name).isEmpty();
    }

    /** @throws ForbiddenException if the caller may not */
    public void require(Action action, ResourceKind kind, String name) {
        refusal(action, kind, name).ifPresent(denied -> {
            throw new ForbiddenException(denied);
        });
    }

    /** Present if the caller may not. */
    public Optional<Denied> refusal(Action action, ResourceKind kind, String name) {
        return refusal(new Permission.OnResource(action, kind, name));
    }

    Optional<Denied> refusal(Permission permission) {
        return caller != null && service.decide(caller, permission) instanceof Denied denied
                ? Optional.of(denied)
                : Optional.empty();
    }

    /** Present if the caller has the action on no name at all. */
    public Optional<Denied> refusalOfAll(Action action, ResourceKind kind) {
        return scope(action, kind).isEmpty() ? Optional.of(denied(action, kind, ANY_NAME)) : Optional.empty();
    }

    /**
     * For a name that the caller must not learn, such as that of a cluster of which it knows a job: the refusal is the
     * same if the job does not exist.
     */
    public ForbiddenException forbidden(Action action, ResourceKind kind) {
        return new ForbiddenException(denied(action, kind, ANY_NAME));
    }

    private Denied denied(Action action, ResourceKind kind, String name) {
        return new Denied(
                caller.subject(),
                new Permission.OnResource(action, kind, name),
                "a grant of %s on %s".formatted(action.word(), kind.word()));
    }

    /** The names on which the caller has the action. */
    public NameScope scope(Action action, ResourceKind kind) {
        return caller == null ? EVERYTHING : service.scope(caller, kind, action);
    }

    /** What a list may show to the caller. */
    public ShownNames shown(ResourceKind kind) {
        return new ShownNames(scope(Action.READ, kind));
    }

    /**
     * The longest prefix of all names that begin with {@code asked} and that a list may show. A cursor of the list tells of
     * no name without it.
     *
     * @throws ForbiddenException if the list may show no name
     */
    public String shownPrefix(ResourceKind kind, String asked) {
        return shown(kind)
                .prefix(asked)
                .orElseThrow(() -> new ForbiddenException(denied(Action.READ, kind, asked + ANY_NAME)));
    }

    /** By the present grants; empty without access control. */
    public Optional<AccessDecision> decision(Permission permission) {
        return caller().map(known -> service.decide(known, permission));
    }
}
