package org.ulfmj.benchmarks.profile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;

/** The samples of running threads in flight recordings, one recording per rank. */
public final class Recordings {
    /** The time between two samples of a thread. */
    private static final int PERIOD_MS = 2;

    /** Our events, which are left out of the recordings: the time to write them would show up in short operations. */
    private static final List<String> OWN_EVENTS = List.of("Wait", "Failure", "Revoke", "Agreement");

    /**
     * The longest gap between two samples that still counts as running. Rounds of a cell follow each other, with orders
     * in between that take microseconds.
     */
    private static final Duration LONGEST_GAP = Duration.ofMillis(200);

    private static final String UNSEEN = "(copies, or the kernel)";

    private final List<List<RecordedEvent>> ranks = new ArrayList<>();

    private Recordings() {}

    /**
     * The option for a rank's virtual machine that writes such a recording into the directory when the machine ends.
     */
    public static String option(Path directory) {
        StringBuilder option = new StringBuilder(
                        "-XX:StartFlightRecording:settings=profile,jdk.ExecutionSample#period=")
                .append(PERIOD_MS)
                .append("ms");
        for (String event : OWN_EVENTS) {
            option.append(",+ulfm.").append(event).append("#enabled=false");
        }
        return option.append(",filename=").append(directory).toString();
    }

    public static Recordings read(Path directory) throws IOException {
        Recordings recordings = new Recordings();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                // A killed rank may leave an empty file.
                if (Files.size(file) > 0) {
                    recordings.ranks.add(RecordingFile.readAllEvents(file).stream()
                            .filter(event -> event.getEventType().getName().equals("jdk.ExecutionSample"))
                            .filter(event -> event.getStackTrace() != null)
                            .sorted(Comparator.comparing(RecordedEvent::getStartTime))
                            .toList());
                }
            }
        }
        return recordings;
    }

    /**
     * The samples inside an operation, by our innermost method. The time in the Java library counts for the method of
     * ours that called it. The first half of each rank's samples inside the operation is left out: compilers were at
     * work then.
     *
     * @param operation name of the method of ours within which samples count
     * @param withMissing whether missing samples count too, as time in copies or in the kernel, where the virtual
     *     machine cannot take a sample. To be used only if each rank has a core: otherwise samples are missing for
     *     other reasons too
     */
    public Parts inside(String operation, boolean withMissing) {
        Parts parts = new Parts();
        for (List<RecordedEvent> events : ranks) {
            List<RecordedEvent> inside = events.stream()
                    .filter(event -> isInside(event.getStackTrace().getFrames(), operation))
                    .toList();
            List<RecordedEvent> counted = inside.subList(inside.size() / 2, inside.size());
            counted.forEach(event -> parts.add(innermost(event.getStackTrace().getFrames()), 1));
            if (withMissing) {
                parts.add(UNSEEN, Math.max(0, expected(counted) - counted.size()));
            }
        }
        return parts;
    }

    /**
     * Returns how many samples a thread would have given in the time between these events, without the long gaps, if it
     * had run Java methods all the time.
     */
    private static double expected(List<RecordedEvent> events) {
        long ns = 0;
        for (int i = 1; i < events.size(); i++) {
            Duration gap = Duration.between(
                    events.get(i - 1).getStartTime(), events.get(i).getStartTime());
            ns += gap.compareTo(LONGEST_GAP) < 0 ? gap.toNanos() : 0;
        }
        return ns / (PERIOD_MS * 1e6);
    }

    private static boolean isInside(List<RecordedFrame> frames, String operation) {
        return frames.stream()
                .anyMatch(frame -> isOurs(frame) && frame.getMethod().getName().equals(operation));
    }

    private static String innermost(List<RecordedFrame> frames) {
        RecordedFrame innermost =
                frames.stream().filter(Recordings::isOurs).findFirst().orElseThrow();
        String type = innermost.getMethod().getType().getName();
        return type.substring(type.lastIndexOf('.') + 1) + "."
                + innermost.getMethod().getName();
    }

    private static boolean isOurs(RecordedFrame frame) {
        String type = frame.getMethod().getType().getName();
        return type.startsWith("org.ulfmj.") || type.startsWith("mpi.");
    }
}
