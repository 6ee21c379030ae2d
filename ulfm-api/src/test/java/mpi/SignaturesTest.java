package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Checks that package {@code mpi} has each public item of Open MPI's bindings, as {@code open-mpi.txt} lists them,
 * exactly as listed, except for the items of three other lists, which give the reason: {@code open-mpi-different.txt},
 * {@code open-mpi-later.txt} and {@code open-mpi-not-yet.txt}. Everything else that is public in the package must be on
 * the list {@code only-here.txt}.
 */
class SignaturesTest {
    private static final int ITEMS_OF_OPEN_MPI = 763;
    private static final int ITEMS_THAT_COME_LATER = 158;

    /** An item that has another signature here. */
    private record Difference(String theirs, String here, String why) {}

    private TreeSet<String> surface;
    private List<String> theirs;
    private List<Difference> different;
    private List<String> missing;

    @BeforeEach
    void read() throws Exception {
        surface = Surface.items();
        theirs = lines("open-mpi.txt");
        different = differences();
        missing = new ArrayList<>(lines("open-mpi-later.txt"));
        missing.addAll(lines("open-mpi-not-yet.txt"));
    }

    @Test
    void shouldKnowAllItemsOfOpenMpi() throws IOException {
        assertThat(theirs).hasSize(ITEMS_OF_OPEN_MPI).doesNotHaveDuplicates();
        assertThat(lines("open-mpi-later.txt")).hasSize(ITEMS_THAT_COME_LATER);
    }

    @Test
    void shouldOfferEveryItemExactlyOrSayWhyNot() {
        List<String> excused = new ArrayList<>(missing);
        different.forEach(item -> excused.add(item.theirs()));
        List<String> problems = new ArrayList<>();
        for (String item : theirs) {
            if (surface.contains(item) && excused.contains(item)) {
                problems.add("is here; remove its line from the other list: " + item);
            } else if (!surface.contains(item) && !excused.contains(item)) {
                problems.add("is not here: " + item);
            }
        }

        assertThat(problems).isEmpty();
        assertThat(excused).doesNotHaveDuplicates().isSubsetOf(theirs);
    }

    @Test
    void shouldHaveDifferentItemsAsDescribed() {
        for (Difference item : different) {
            assertThat(surface).contains(item.here());
            assertThat(item.why()).isNotBlank();
        }
    }

    @Test
    void shouldOfferNothingElseThanWhatIsListedAsOnlyHere() throws IOException {
        TreeSet<String> others = new TreeSet<>(surface);
        others.removeAll(theirs);
        different.forEach(item -> others.remove(item.here()));

        assertThat(others).containsExactlyInAnyOrderElementsOf(lines("only-here.txt"));
    }

    @Test
    void shouldKeepExceptionsUncheckedAndApart() {
        assertThat(RuntimeException.class).isAssignableFrom(MPIException.class);
        assertThat(Modifier.isFinal(MPIException.class.getModifiers())).isFalse();
        for (Class<?> exception : List.of(
                ProcFailedException.class,
                ProcFailedPendingException.class,
                RevokedException.class,
                ProcAbortedException.class)) {
            assertThat(Modifier.isFinal(exception.getModifiers()))
                    .as(exception.getSimpleName())
                    .isTrue();
        }
    }

    private static List<Difference> differences() throws IOException {
        List<String> lines = lines("open-mpi-different.txt");
        List<Difference> differences = new ArrayList<>();
        for (int i = 0; i < lines.size(); i += 3) {
            differences.add(new Difference(
                    after("theirs:", lines.get(i)), after("here:", lines.get(i + 1)), after("why:", lines.get(i + 2))));
        }
        return differences;
    }

    private static String after(String label, String line) {
        assertThat(line).startsWith(label);
        return line.substring(label.length()).strip();
    }

    /** The lines of a list without empty lines and comments. */
    private static List<String> lines(String list) throws IOException {
        try (BufferedReader reader = new BufferedReader(
                new InputStreamReader(SignaturesTest.class.getResourceAsStream(list), StandardCharsets.UTF_8))) {
            return reader.lines()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .toList();
        }
    }
}
