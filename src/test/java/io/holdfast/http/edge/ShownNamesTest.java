package io.holdfast.http.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.access.model.NameScope;
import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class ShownNamesTest {
    @Test
    void theStoreReadsWhatBeginsLikeAllNamesThatMayBeShown() {
        assertThat(of("billing/").prefix("")).contains("billing/");
        assertThat(of("billing/").prefix("bill")).contains("billing/");
        assertThat(of("billing/").prefix("billing/db")).contains("billing/db");
        assertThat(of("billing/a", "billing/b").prefix("")).contains("billing/");
        assertThat(of("billing/a", "reports/").prefix("")).contains("");
        assertThat(of("billing/a", "reports/").prefix("r")).contains("reports/");
        assertThat(of("").prefix("x")).contains("x");
    }

    @Test
    void nothingIsReadForAPrefixOutsideOfTheScope() {
        assertThat(of("billing/").prefix("x")).isEmpty();
        assertThat(of().prefix("x")).isEmpty();
        assertThat(of("billing/").of(page("x", "xy"), Function.identity()).items())
                .isEmpty();
    }

    @Test
    void aPageThatIsShorterKeepsItsCursor() {
        var shown = of("b").of(page("a", "b", "c"), Function.identity());

        assertThat(shown.items()).containsExactly("b");
        assertThat(shown.next()).contains(new Cursor("after"));
    }

    private static ShownNames of(String... prefixes) {
        return new ShownNames(new NameScope(List.of(prefixes)));
    }

    private static Page<String> page(String... names) {
        return new Page<>(List.of(names), Optional.of(new Cursor("after")));
    }
}
