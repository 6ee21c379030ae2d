package org.ulfmj.launch.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class UserLocaleTest {
    @Test
    void shouldGiveBackWhatTheUserHad() {
        assertThat(restored("=de_DE.UTF-8")).containsExactly(Map.entry("LC_ALL", "de_DE.UTF-8"));
        assertThat(restored("=")).containsExactly(Map.entry("LC_ALL", ""));
        assertThat(restored("unset")).isEmpty();
        assertThat(restored(null)).containsExactly(Map.entry("LC_ALL", "C.UTF-8"));
    }

    private static Map<String, String> restored(String was) {
        Map<String, String> environment = new TreeMap<>(Map.of("LC_ALL", "C.UTF-8"));
        UserLocale.restore(environment, was);
        return environment;
    }
}
