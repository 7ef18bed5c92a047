package io.holdfast.cli.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.Shell;
import io.holdfast.cli.ShellInProcess;
import io.holdfast.cli.base.CliEnvironment;
import io.holdfast.cli.base.TableAdmin;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Creating and checking a table that is not there at all. */
class TableCommandTest {
    private final SmallTable table = new SmallTable();

    @Test
    void aTableThatIsFineIsSaidToBe() {
        assertThat(run("table", "check"))
                .isEqualTo(new Shell.Result(0, "Table 'holdfast-test' is ready for use.\n", ""));
        assertThat(table.closed).isEqualTo(1);
    }

    @Test
    void eachProblemIsALineOfItsOwn() {
        table.problems.addAll(List.of("The key is wrong.", "There is no\nTTL."));

        assertThat(run("table", "check"))
                .isEqualTo(new Shell.Result(1, "", "holdfast: The key is wrong.\nholdfast: There is no TTL.\n"));
    }

    @Test
    void aWarningKeepsNothingFromBeingFine() {
        table.warnings.add("It has no point-in-time recovery.");

        assertThat(run("table", "check"))
                .isEqualTo(new Shell.Result(
                        0,
                        "Table 'holdfast-test' is ready for use.\n",
                        "holdfast: Warning: It has no point-in-time recovery.\n"));
    }

    @Test
    void aTableIsCreatedOnceAndCheckedEachTime() {
        assertThat(run("table", "create").out())
                .isEqualTo("Created table 'holdfast-test'.\nTable 'holdfast-test' is ready for use.\n");
        table.problems.add("The key is wrong.");

        var again = run("table", "create");

        assertThat(again.exit()).isEqualTo(1);
        assertThat(again.out()).isEqualTo("Table 'holdfast-test' already exists.\n");
        assertThat(again.err()).isEqualTo("holdfast: The key is wrong.\n");
    }

    @Test
    void forProgramsItIsOneObject() {
        table.problems.add("The key is wrong.");
        table.warnings.add("It is dear.");

        var result = run("table", "create", "-o", "json");

        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.out())
                .isEqualTo("{\"table\":\"holdfast-test\",\"created\":true,\"fine\":false,"
                        + "\"problems\":[\"The key is wrong.\"],\"warnings\":[\"It is dear.\"]}\n");
        assertThat(run("table", "check", "-o", "plain").out())
                .isEqualTo("table\tholdfast-test\nfine\tfalse\nproblems\tThe key is wrong.\nwarnings\tIt is dear.\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"create", "check"})
    void aTableThatCannotBeReachedIsUnavailable(String command) {
        table.failure = new IllegalStateException("DynamoDB does not let us in.");

        assertThat(run("table", command))
                .isEqualTo(new Shell.Result(4, "", "holdfast: DynamoDB does not let us in.\n"));
        assertThat(table.closed).isEqualTo(1);
    }

    @Test
    void soIsADoorThatCannotBeMade() {
        var result = run(
                timeout -> {
                    throw new IllegalStateException("There is no region.");
                },
                "table",
                "check");

        assertThat(result).isEqualTo(new Shell.Result(4, "", "holdfast: There is no region.\n"));
    }

    @Test
    void theTimeoutIsThatOfTheOptionElseThatOfTheVariable() {
        var timeouts = new ArrayList<Optional<Duration>>();
        CliEnvironment.Tables tables = timeout -> {
            timeouts.add(timeout);
            return table;
        };

        run(tables, Map.of(), "table", "check");
        run(tables, Map.of("HOLDFAST_TIMEOUT", "1m30s"), "table", "check");
        run(tables, Map.of("HOLDFAST_TIMEOUT", "1m"), "table", "create", "--timeout", "5s");

        assertThat(timeouts)
                .containsExactly(
                        Optional.empty(), Optional.of(Duration.ofSeconds(90)), Optional.of(Duration.ofSeconds(5)));
    }

    @Test
    void aTimeoutThatIsNoneIsRefused() {
        assertThat(run(timeout -> table, Map.of("HOLDFAST_TIMEOUT", "soon"), "table", "check"))
                .matches(result -> result.exit() == 2
                        && result.err().startsWith("holdfast: HOLDFAST_TIMEOUT: 'soon' is not a duration"));
        assertThat(run(timeout -> table, Map.of("HOLDFAST_TIMEOUT", "0s"), "table", "check"))
                .isEqualTo(new Shell.Result(2, "", "holdfast: HOLDFAST_TIMEOUT must be longer than 0.\n"));
        assertThat(run("table", "check", "--timeout", "0s"))
                .isEqualTo(new Shell.Result(2, "", "holdfast: --timeout must be longer than 0.\n"));
    }

    /** The default of --output is a word that is a command, too. */
    @Test
    void theFormThatIsNamedLikeThisCommandCanBeAskedFor() {
        assertThat(run("-o", "table", "table", "check").exit()).isZero();
        assertThat(run("table", "check", "--output", "table").exit()).isZero();
    }

    private Shell.Result run(String... words) {
        return run(timeout -> table, words);
    }

    private static Shell.Result run(CliEnvironment.Tables tables, String... words) {
        return run(tables, Map.of(), words);
    }

    private static Shell.Result run(CliEnvironment.Tables tables, Map<String, String> variables, String... words) {
        return new ShellInProcess(CliEnvironment.Terminals.NONE, Clock.systemUTC(), tables).run(variables, "", words);
    }

    private static final class SmallTable implements TableAdmin {
        private final List<String> problems = new ArrayList<>();
        private final List<String> warnings = new ArrayList<>();
        private IllegalStateException failure;
        private boolean isThere;
        private int closed;

        @Override
        public String table() {
            return "holdfast-test";
        }

        @Override
        public boolean create() {
            failIfBroken();
            var created = !isThere;
            isThere = true;
            return created;
        }

        @Override
        public List<String> problems() {
            failIfBroken();
            return problems;
        }

        @Override
        public List<String> warnings() {
            return warnings;
        }

        @Override
        public void close() {
            closed++;
        }

        private void failIfBroken() {
            if (failure != null) {
                throw failure;
            }
        }
    }
}
