package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.ulfmj.launch.event.JobEvent;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.options.Options;
import org.ulfmj.transport.auth.JobSecret;

class MeetingPointTest {
    private static final ProcessId HERE = ProcessId.of(0);
    private static final ProcessId ELSEWHERE = ProcessId.of(1);

    /** The agent is asked also in a job on a single host, as that need not be the launcher's host. */
    @Test
    void shouldAskTheAgentHowLongAProcessWaitsForACoreHoweverManyHostsThereAre() throws Exception {
        List<JobEvent> events = new CopyOnWriteArrayList<>();
        Options options = Options.of(new TreeMap<>(Map.of("ulfm.fd.timeout", "1s")));
        try (MeetingPoint point =
                MeetingPoint.open("job", 2, options, 0, false, false, JobSecret.random(), "127.0.0.1", events::add)) {
            point.placed(ELSEWHERE, 0);
            assertThat(point.waitedForCoreNs(ELSEWHERE, 47)).isZero();
            assertThat(events).containsExactly(new JobEvent.CoreWaitsAsked(ELSEWHERE, 47, 1));
            point.coreWaited(ELSEWHERE, 1, 300);
            assertThat(point.waitedForCoreNs(ELSEWHERE, 47)).isEqualTo(300);
            point.waitedForCoreNs(HERE, ProcessHandle.current().pid());
            assertThat(events).as("its agent is not asked").hasSize(2);
        }
    }

    @Test
    void shouldAskTheAgentOfASpareThatGotAPlace() throws Exception {
        List<JobEvent> events = new CopyOnWriteArrayList<>();
        Options options = Options.of(new TreeMap<>(Map.of("ulfm.fd.timeout", "1s")));
        try (MeetingPoint point =
                MeetingPoint.open("job", 2, options, 0, false, true, JobSecret.random(), "127.0.0.1", events::add)) {
            point.sparePlaced(0, 0);
            point.assignedElsewhere(ELSEWHERE);
            assertThat(point.waitedForCoreNs(ELSEWHERE, 47)).isZero();
            assertThat(events).hasSize(1);
        }
    }
}
