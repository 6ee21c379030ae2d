package org.ulfmj.testkit.mutant;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Shows that methods and constructors of package {@code mpi} have a test that fails when the method does nothing or
 * always returns the same, or when the constructor forgets its arguments: each mutant, except those in
 * {@code unnoticed.txt}, is tried in tests that reach it, until one fails. A failure counts only if the test passed
 * without a mutant before, and passes without it again afterwards.
 *
 * <p>{@code -Dapi.mutants=all} tries all mutants, {@code -Dapi.mutants=Group,Info.get} those of a class or a method;
 * without the property only a sample is tried.
 */
class ApiMutantsTest {
    private static final Path API = Path.of("../ulfm-api");
    private static final Path LISTS = API.resolve("src/test/resources/mpi");
    private static final Path UNNOTICED = Path.of("src/test/resources/org/ulfmj/testkit/mutant/unnoticed.txt");
    private static final String SAMPLE = "CartComm.getCoords,Comm.iProbe,Datatype.getTrueLb";
    /** The most tests that are tried with a mutant; if none of them fails because of it, it counts as missed. */
    private static final int TRIES = 100;

    private static final long LIMIT_MS = 10_000;
    /**
     * In the first pass a test with a mutant gets this time, plus twice its time without: if it takes longer, it is
     * tried again in the second pass unless another test has failed by then.
     */
    private static final long SHORT_MS = 3_000;

    private static final long CERTAINLY_ENOUGH_MS = 300_000;
    /**
     * In the second pass a test with a mutant counts as hung if it takes longer than this many times its time without a
     * mutant plus {@code LIMIT_MS}.
     */
    private static final int TIMES_AS_LONG = 10;

    /**
     * Test classes that are not tried: those that read signatures, those whose tests fail for any call that is not
     * refused, and those that take long.
     */
    private static final Pattern NOT_COUNTED = Pattern.compile(
            "(BadCalls|ArgumentMessages|CallsBeforeInit|Signatures|PublicSurface|Layout|Javadoc|Load|ManyRanks|Memory|Allocation|.*Mutants|.*Swarm).*");

    /**
     * Tests that are not tried: a test that requires a call to be refused fails for any call that does nothing, and
     * shows nothing about the work of the call.
     */
    private static final Pattern REFUSAL = Pattern.compile(".*method:shouldRefuse.*");

    /** Test classes that wait for failures or run many schedules; they are tried after the others of their module. */
    private static final Pattern SLOW = Pattern.compile(
            ".*(Simulated|Resilient|Recovery|Uniform|Fail|Dead|Error|Revoked|Mpich|Ulfm|Silence|Swarm).*");

    /** A class of tests, with its text. */
    private record TestClass(String name, String text, boolean isOfApi) {
        String simpleName() {
            return name.substring(name.lastIndexOf('.') + 1);
        }

        boolean mentions(ApiMutant mutant) {
            return Pattern.compile("\\b" + mutant.item().name() + "\\b")
                    .matcher(text)
                    .find();
        }
    }

    @TempDir
    private Path classes;

    private final Map<Boolean, WorkerProcess> workers = new HashMap<>();
    private final Map<Integer, ApiMutant> open = new TreeMap<>();
    private final Map<ApiMutant, Set<String>> tries = new HashMap<>();

    @Test
    void shouldHaveATestThatNoticesEachCallThatDoesNothing() throws Exception {
        List<String> asked = List.of(System.getProperty("api.mutants", SAMPLE).split(","));
        List<ApiItem> items = new ArrayList<>(ApiItem.readAll(LISTS.resolve("open-mpi.txt")));
        items.addAll(ApiItem.readAll(LISTS.resolve("only-here.txt")));
        items.removeAll(ApiItem.readAll(LISTS.resolve("open-mpi-later.txt")));
        items.removeIf(item -> !item.isAskedFor(asked));
        MutatedApi mutated = MutatedApi.of(API.resolve("src/main/java/mpi"), items);
        mutated.compile(classes);
        List<String> excused = excused();
        mutated.mutants().stream()
                .filter(mutant -> !excused.contains(mutant.text()))
                .forEach(mutant -> open.put(mutant.number(), mutant));
        int tried = open.size();
        workers.put(true, worker(API));
        workers.put(false, worker(Path.of(".")));
        try {
            List<TestClass> tests = testClasses(items);
            // A test in which a mutant hangs takes much time, and most mutants soon fail in another test. So the first
            // pass ignores hangs, and the second one counts them.
            for (boolean isHangCounted : new boolean[] {false, true}) {
                for (TestClass test : tests) {
                    if (open.values().stream().anyMatch(test::mentions)) {
                        tryWith(test, isHangCounted);
                    }
                }
            }
        } finally {
            for (WorkerProcess worker : workers.values()) {
                worker.close();
            }
        }

        System.out.println(items.size() + " items, " + mutated.unchanged().size() + " without a body; "
                + mutated.mutants().size() + " mutants: " + (tried - open.size()) + " noticed, "
                + (mutated.mutants().size() - tried) + " excused, " + open.size() + " missed");
        mutated.unchanged().forEach(item -> System.out.println("no body: " + item.line()));
        assertThat(open.values()).extracting(ApiMutant::text).isEmpty();
        assertThat(tried).isPositive();
        if (asked.contains("all")) {
            assertThat(mutated.mutants()).extracting(ApiMutant::text).containsAll(excused);
        }
    }

    /** Returns the mutants that no test here can notice; the file gives the reasons. */
    private static List<String> excused() throws IOException {
        return Files.readAllLines(UNNOTICED).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .toList();
    }

    private void tryWith(TestClass tests, boolean isHangCounted) throws IOException, InterruptedException {
        WorkerProcess worker = workers.get(tests.isOfApi());
        for (String test : worker.tests(tests.name())) {
            if (REFUSAL.matcher(test).matches()) {
                continue;
            }
            long begin = System.nanoTime();
            String without = worker.run(-1, test, CERTAINLY_ENOUGH_MS);
            long tookMs = (System.nanoTime() - begin) / 1_000_000;
            if (!without.startsWith("passed")) {
                System.out.println("does not count: " + name(test) + ": " + without);
                continue;
            }
            String numbers = without.substring("passed".length()).strip();
            for (String number : numbers.isEmpty() ? new String[0] : numbers.split(",")) {
                ApiMutant mutant = open.get(Integer.parseInt(number));
                if (mutant == null
                        || triesOf(mutant).size() == TRIES
                        || triesOf(mutant).contains(test)) {
                    continue;
                }
                long limitMs = isHangCounted ? limitMs(tookMs) : SHORT_MS + 2 * tookMs;
                String with = worker.run(mutant.number(), test, limitMs);
                if (!isHangCounted && with.equals(TestWorker.HUNG)) {
                    break;
                }
                triesOf(mutant).add(test);
                if (!with.startsWith("passed") && isForTheMutant(worker, mutant, test, with, limitMs)) {
                    open.remove(mutant.number());
                    System.out.println(
                            mutant.text() + ": " + name(test) + ": " + with.substring(0, Math.min(120, with.length())));
                }
            }
        }
    }

    private Set<String> triesOf(ApiMutant mutant) {
        return tries.computeIfAbsent(mutant, key -> new HashSet<>());
    }

    private static long limitMs(long tookMs) {
        return LIMIT_MS + TIMES_AS_LONG * tookMs;
    }

    /**
     * Whether a test that has failed with a mutant failed because of it: the test must pass without the mutant. If it
     * does not, or is slow, both are tried again in a new process; throws an AssertionError if the test fails without
     * the mutant there too.
     */
    private static boolean isForTheMutant(
            WorkerProcess worker, ApiMutant mutant, String test, String with, long limitMs)
            throws IOException, InterruptedException {
        long begin = System.nanoTime();
        boolean isPassed = worker.run(-1, test, CERTAINLY_ENOUGH_MS).startsWith("passed");
        long tookMs = (System.nanoTime() - begin) / 1_000_000;
        boolean isSlow = with.equals(TestWorker.HUNG) && TIMES_AS_LONG * tookMs > limitMs;
        if (isPassed && !isSlow) {
            return true;
        }
        // The mutant has damaged the process, or the test fails now and then, or the test is slow: a new process shows
        // which.
        worker.close();
        assertThat(worker.run(-1, test, CERTAINLY_ENOUGH_MS))
                .as("%s without a mutant", test)
                .startsWith("passed");
        String again = worker.run(mutant.number(), test, limitMs(tookMs));
        worker.close();
        return !again.startsWith("passed");
    }

    private static String name(String id) {
        return Arrays.stream(id.split("/"))
                .map(part -> part.replaceAll("^\\[\\w+(-\\w+)?:(.*)\\]$", "$2"))
                .skip(1)
                .reduce((a, b) -> a + "." + b)
                .orElse(id);
    }

    private WorkerProcess worker(Path folder) {
        String classPath = String.join(
                File.pathSeparator,
                classes.toString(),
                API.resolve("target/test-classes").toAbsolutePath().toString(),
                System.getProperty("java.class.path"));
        return new WorkerProcess(
                classPath, folder, classes.resolve("worker.log").toFile());
    }

    /**
     * Returns the test classes in the order in which they are tried: those of ulfm-api first, then those that do not
     * wait for failures, then those in outer packages, then those named after a class whose methods are asked for, then
     * short ones.
     */
    private static List<TestClass> testClasses(List<ApiItem> items) throws IOException {
        List<TestClass> found = new ArrayList<>();
        for (Path root : List.of(API.resolve("src/test/java"), Path.of("src/test/java"))) {
            try (Stream<Path> files = Files.walk(root)) {
                for (Path file : files.filter(each -> each.toString().endsWith("Test.java"))
                        .toList()) {
                    if (!NOT_COUNTED.matcher(file.getFileName().toString()).matches()) {
                        String name = root.relativize(file)
                                .toString()
                                .replace(".java", "")
                                .replace(File.separatorChar, '.');
                        found.add(new TestClass(name, Files.readString(file), name.startsWith("mpi.")));
                    }
                }
            }
        }
        found.sort(Comparator.comparing((TestClass test) -> !test.isOfApi())
                .thenComparing(test -> SLOW.matcher(test.simpleName()).matches())
                .thenComparing(test -> test.name().split("\\.").length)
                .thenComparing(test ->
                        items.stream().noneMatch(item -> test.simpleName().startsWith(item.file())))
                .thenComparing(test -> test.text().length()));
        return found;
    }
}
