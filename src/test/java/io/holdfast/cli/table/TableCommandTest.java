package io.holdfast.cli.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.Shell;
import io.holdfast.cli.ShellInProcess;
import io.holdfast.cli.base.CliEnvironment;
import io.holdfast.cli.base.TableAdmin;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
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
                () -> {
                    throw new IllegalStateException("There is no region.");
                },
                "table",
                "check");

        assertThat(result).isEqualTo(new Shell.Result(4, "", "holdfast: There is no region.\n"));
    }

    /** The default of --output is a word that is a command, too. */
    @Test
    void theFormThatIsNamedLikeThisCommandCanBeAskedFor() {
        assertThat(run("-o", "table", "table", "check").exit()).isZero();
        assertThat(run("table", "check", "--output", "table").exit()).isZero();
    }

    private Shell.Result run(String... words) {
        return run(() -> table, words);
    }

    private static Shell.Result run(Supplier<TableAdmin> tables, String... words) {
        return new ShellInProcess(CliEnvironment.Terminals.NONE, Clock.systemUTC(), tables).run(Map.of(), "", words);
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
