package org.ulfmj.transport.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StrangersTest {
    private static final long LIMIT_NS = 1_000;

    private final Strangers strangers = new Strangers(LIMIT_NS);
    private final List<String> dropped = new ArrayList<>();

    private Stranger stranger(String name) {
        return () -> dropped.add(name);
    }

    @Test
    void shouldDropTheOldestWhenThereAreTooMany() {
        for (int i = 0; i < Strangers.MAX + 2; i++) {
            strangers.add(stranger("stranger " + i), i);
        }

        assertThat(dropped).containsExactly("stranger 0", "stranger 1");
        assertThat(strangers.count()).isEqualTo(Strangers.MAX);
    }

    @Test
    void shouldDropEachWhenItsTimeIsOverWhateverTheOthersDo() {
        strangers.add(stranger("first"), 0);
        strangers.add(stranger("second"), 600);
        assertThat(strangers.nextDeadlineNs()).isEqualTo(LIMIT_NS);

        strangers.onTick(LIMIT_NS - 1);
        assertThat(dropped).isEmpty();
        strangers.onTick(LIMIT_NS);
        assertThat(dropped).containsExactly("first");
        assertThat(strangers.nextDeadlineNs()).isEqualTo(600 + LIMIT_NS);
        strangers.onTick(600 + LIMIT_NS);
        assertThat(dropped).containsExactly("first", "second");
        assertThat(strangers.nextDeadlineNs()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldDropNoneThatHasProvedItself() {
        Stranger proven = stranger("proven");
        strangers.add(proven, 0);
        strangers.add(stranger("other"), 0);
        strangers.remove(proven);

        strangers.onTick(LIMIT_NS);
        strangers.dropAll();

        assertThat(dropped).containsExactly("other");
    }

    @Test
    void shouldDropAllAtTheEnd() {
        strangers.add(stranger("first"), 0);
        strangers.add(stranger("second"), 0);

        strangers.dropAll();

        assertThat(dropped).containsExactly("first", "second");
        assertThat(strangers.count()).isZero();
    }
}
