package io.holdfast.kernel;

import io.smallrye.mutiny.Uni;
import java.util.Optional;
import java.util.function.Function;

/** Helpers for {@link Uni}. */
public final class Unis {
    private Unis() {}

    /** Continues with {@code step} if the optional has a value; otherwise the result is empty. */
    public static <T, R> Uni<Optional<R>> chainIfPresent(
            Uni<Optional<T>> found, Function<? super T, Uni<Optional<R>>> step) {
        return found.chain(value ->
                value.isPresent() ? step.apply(value.get()) : Uni.createFrom().item(Optional.empty()));
    }
}
