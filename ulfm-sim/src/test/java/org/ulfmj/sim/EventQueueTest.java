package org.ulfmj.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventQueueTest {
    private final EventQueue queue = new EventQueue();
    private final List<String> happened = new ArrayList<>();

    @Test
    void shouldRunInOrderOfTimeWhenScheduledInAnyOrder() {
        SeededRandom random = new SeededRandom(1);
        for (int i = 0; i < 1_000; i++) {
            long timeNs = random.between(0, 500);
            queue.at(timeNs, EventQueue.Order.INPUT, () -> assertThat(queue.nowNs())
                    .isEqualTo(timeNs));
        }
        long lastNs = -1;
        for (int i = 0; i < 1_000; i++) {
            queue.runNext();
            assertThat(queue.nowNs()).isGreaterThanOrEqualTo(lastNs);
            lastNs = queue.nowNs();
        }
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void shouldRunInputsBeforeTimersWhenTheyAreDueAtOneInstant() {
        at(7, EventQueue.Order.TIMER, "timer");
        at(7, EventQueue.Order.INPUT, "first input");
        at(7, EventQueue.Order.INPUT, "second input");
        runAll();
        assertThat(happened).containsExactly("first input", "second input", "timer");
    }

    @Test
    void shouldRunNowWhenScheduledInThePast() {
        queue.at(10, EventQueue.Order.INPUT, () -> at(3, EventQueue.Order.INPUT, "late"));
        runAll();
        assertThat(happened).containsExactly("late");
        assertThat(queue.nowNs()).isEqualTo(10);
    }

    @Test
    void shouldLetTimePassWhenNoEventComesFirst() {
        EventQueue late = new EventQueue(100);
        late.at(150, () -> happened.add("event"));
        assertThat(late.passTime(149)).isTrue();
        assertThat(late.nowNs()).isEqualTo(149);
        assertThat(late.passTime(150)).isFalse();
        late.at(120, () -> happened.add("past"));
        late.runNext();
        assertThat(late.nowNs()).as("time does not go back").isEqualTo(149);
        late.runNext();
        assertThat(happened).containsExactly("past", "event");
        assertThat(late.passTime(1_000)).isTrue();
        assertThat(late.passTime(10)).isTrue();
        assertThat(late.nowNs()).isEqualTo(1_000);
    }

    @Test
    void shouldRefuseToRunWhenEmpty() {
        assertThatThrownBy(queue::runNext)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no event is scheduled");
    }

    private void at(long timeNs, EventQueue.Order order, String name) {
        queue.at(timeNs, order, () -> happened.add(name));
    }

    private void runAll() {
        while (!queue.isEmpty()) {
            queue.runNext();
        }
    }
}
