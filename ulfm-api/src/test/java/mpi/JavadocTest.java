package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks that the comments of public calls of the listed classes, but for {@link #WITHOUT} and calls that make buffers,
 * name the function of MPI, and the section of the standard or User-Level Failure Mitigation.
 */
class JavadocTest {
    private static final Path SOURCES = Path.of("src/main/java/mpi");

    /** Matches a Javadoc comment and the name of the public method or constructor that follows the comment. */
    private static final Pattern CALL = Pattern.compile(
            "/\\*\\*((?:(?!\\*/).)*)\\*/\\s+(?:@\\w+\\s+)*public (?:\\w+ )*(?:[\\w\\[\\]]+ )?(\\w+)\\(",
            Pattern.DOTALL);

    private static final Pattern FUNCTION = Pattern.compile(
            "\\{@code MPIX?_\\w+}, (?:MPI 3\\.1 section \\d+\\.\\d+(?:\\.\\d+)?|User-Level Failure Mitigation)\\.");

    /**
     * Methods that need not name a function of MPI, as MPI has none: they come from Open MPI's Java bindings, from the
     * JDK or from this library alone.
     */
    private static final Set<String> WITHOUT = Set.of(
            "MPI",
            "toString",
            "isNull",
            "getRequest",
            "getIndex",
            "agreeFailed",
            "replace",
            "grow",
            "hasFaultTolerance",
            "isReplacement",
            "isNewcomer",
            "numWaiting",
            "getIncarnation",
            "bindThread",
            "onSignal",
            "onPreemption",
            "store",
            "slice");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Comm",
                "Intracomm",
                "Group",
                "Request",
                "Prequest",
                "Status",
                "Op",
                "Datatype",
                "MPI",
                "CartComm",
                "CartParms",
                "ShiftParms",
                "GraphComm",
                "GraphParms",
                "DistGraphNeighbors"
            })
    void shouldNameTheFunctionAndTheSectionOfEachCall(String type) throws Exception {
        String source = Files.readString(SOURCES.resolve(type + ".java"));
        List<String> silent = new ArrayList<>();
        int named = 0;
        Matcher calls = CALL.matcher(source);
        while (calls.find()) {
            String name = calls.group(2);
            if (FUNCTION.matcher(calls.group(1)).find()) {
                named++;
            } else if (!WITHOUT.contains(name) && !name.matches("new\\w+Buffer")) {
                silent.add(name);
            }
        }
        assertThat(silent).isEmpty();
        assertThat(named).isPositive();
    }
}
