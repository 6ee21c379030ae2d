package org.ulfmj.launch.event;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class JobEventsTest {
    private static final JobEvent FIRST = new JobEvent.HostNotice("first");
    private static final JobEvent SECOND = new JobEvent.HostNotice("second");
    private static final JobEvent OTHER = new JobEvent.HostNotice("other");
    private static final long PUT_OFF_NS = 20_000_000;

    private final JobEvents events = new JobEvents();

    @Test
    void shouldReturnNothingWhenNoEventComesInTime() {
        assertThat(events.take(0)).isNull();
        assertThat(events.take(1_000)).isNull();
    }

    @Test
    void shouldReturnEventsInTheirOrder() {
        events.accept(FIRST);
        events.accept(SECOND);
        assertThat(events.take(0)).isSameAs(FIRST);
        assertThat(events.take(Long.MAX_VALUE)).isSameAs(SECOND);
    }

    @Test
    void shouldReturnAnEventThatWasPutOffOnceItsTimeHasCome() {
        long putOffNs = System.nanoTime();
        events.putOff(FIRST);
        events.putOff(SECOND);
        assertThat(events.take(Long.MAX_VALUE)).isSameAs(FIRST);
        assertThat(events.take(Long.MAX_VALUE)).isSameAs(SECOND);
        assertThat(System.nanoTime() - putOffNs).isGreaterThanOrEqualTo(PUT_OFF_NS);
        assertThat(events.take(0)).isNull();
    }

    @Test
    void shouldReturnOtherEventsMeanwhile() {
        events.putOff(FIRST);
        events.accept(OTHER);
        assertThat(events.take(Long.MAX_VALUE)).isSameAs(OTHER);
        assertThat(events.take(Long.MAX_VALUE)).isSameAs(FIRST);
    }

    @Test
    void shouldNotWaitLongerThanAskedForWhenAnEventIsPutOff() {
        events.putOff(FIRST);
        assertThat(events.take(0)).isNull();
        assertThat(events.take(Long.MAX_VALUE)).isSameAs(FIRST);
    }
}
