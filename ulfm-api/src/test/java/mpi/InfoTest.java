package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Tests info objects, which need no rank. */
class InfoTest {
    @Test
    void shouldKeepKeysInTheOrderInWhichTheyWereSet() {
        Info info = new Info();
        assertThat(info.size()).isZero();
        info.set("zebra", "1");
        info.set("ant", "2");
        info.set("zebra", "3");

        assertThat(info.size()).isEqualTo(2);
        assertThat(info.getKey(0)).isEqualTo("zebra");
        assertThat(info.getKey(1)).isEqualTo("ant");
        assertThat(info.get("zebra")).isEqualTo("3");
        assertThat(info.get("ant")).isEqualTo("2");
        assertThat(info.get("bee")).isNull();
    }

    @Test
    void shouldDeleteKeys() {
        Info info = new Info();
        info.set("a", "1");
        info.set("b", "2");
        info.delete("a");

        assertThat(info.get("a")).isNull();
        assertThat(info.size()).isEqualTo(1);
        assertThat(info.getKey(0)).isEqualTo("b");
        refused(MPI.ERR_INFO_NOKEY, "Info.delete: key is \"a\"; allowed: [b]", () -> info.delete("a"));
        refused(
                MPI.ERR_INFO_NOKEY,
                "Info.delete: key is \"a\"; allowed: none, since there are no keys",
                () -> new Info().delete("a"));
    }

    @Test
    void shouldDuplicateWithoutSharing() {
        Info info = new Info();
        info.set("b", "1");
        info.set("a", "2");
        for (Info copy : new Info[] {info.dup(), info.clone()}) {
            assertThat(copy.getKey(0)).isEqualTo("b");
            assertThat(copy.getKey(1)).isEqualTo("a");
            copy.set("b", "changed");
            copy.delete("a");
            assertThat(info.get("b")).isEqualTo("1");
            assertThat(info.get("a")).isEqualTo("2");
        }
    }

    @Test
    void shouldBeNullWhenFreed() {
        Info info = new Info();
        assertThat(info.isNull()).isFalse();
        Info copy = info.dup();
        info.free();

        assertThat(info.isNull()).isTrue();
        assertThat(copy.isNull()).isFalse();
        assertThat(MPI.INFO_NULL.isNull()).isTrue();
        assertThat(MPI.INFO_ENV.isNull()).isFalse();
        for (Info none : new Info[] {info, MPI.INFO_NULL}) {
            refused(MPI.ERR_INFO, "Info.set: the info object is null or was freed", () -> none.set("a", "b"));
            refused(MPI.ERR_INFO, "Info.get: the info", () -> none.get("a"));
            refused(MPI.ERR_INFO, "Info.delete: the info", () -> none.delete("a"));
            refused(MPI.ERR_INFO, "Info.size: the info", none::size);
            refused(MPI.ERR_INFO, "Info.getKey: the info", () -> none.getKey(0));
            refused(MPI.ERR_INFO, "Info.dup: the info", none::dup);
            refused(MPI.ERR_INFO, "Info.clone: the info", none::clone);
            refused(MPI.ERR_INFO, "Info.free: the info", none::free);
        }
    }

    @Test
    void shouldHoldTheLongestKeysAndValuesAndNoLongerOnes() {
        Info info = new Info();
        String key = "k".repeat(MPI.MAX_INFO_KEY);
        String value = "v".repeat(MPI.MAX_INFO_VAL);
        info.set(key, value);
        assertThat(info.get(key)).isEqualTo(value);

        refused(
                MPI.ERR_INFO_KEY,
                "Info.set: key is 37 characters long; allowed: 1 to 36 characters",
                () -> info.set(key + "k", "v"));
        refused(
                MPI.ERR_INFO_VALUE,
                "Info.set: value is 257 characters long; allowed: 1 to 256 characters",
                () -> info.set("a", value + "v"));
        refused(MPI.ERR_INFO_KEY, "Info.set: key is null", () -> info.set(null, "v"));
        refused(MPI.ERR_INFO_KEY, "Info.set: key is empty", () -> info.set("", "v"));
        refused(MPI.ERR_INFO_VALUE, "Info.set: value is null", () -> info.set("a", null));
        refused(MPI.ERR_INFO_VALUE, "Info.set: value is empty", () -> info.set("a", ""));
        refused(MPI.ERR_INFO_KEY, "Info.get: key is null", () -> info.get(null));
        refused(MPI.ERR_INFO_KEY, "Info.delete: key is empty", () -> info.delete(""));
        assertThat(info.size()).isEqualTo(1);
    }

    @Test
    void shouldNameTheKeysThatThereAre() {
        Info info = new Info();
        info.set("a", "1");
        refused(MPI.ERR_ARG, "Info.getKey: i is -1; allowed: 0 to size() - 1, which is 0", () -> info.getKey(-1));
        refused(MPI.ERR_INFO_KEY, "Info.getKey: i is 0; allowed: none, since there are no keys", () -> new Info()
                .getKey(0));
        refused(MPI.ERR_INFO_KEY, "Info.getKey: i is 1; allowed: 0 to", () -> info.getKey(1));
    }

    @Test
    void shouldLeaveTheEnvironmentAsItIs() {
        refused(MPI.ERR_INFO, "Info.set: MPI.INFO_ENV cannot be changed", () -> MPI.INFO_ENV.set("a", "b"));
        refused(MPI.ERR_INFO, "Info.delete: MPI.INFO_ENV cannot", () -> MPI.INFO_ENV.delete("a"));
        refused(MPI.ERR_INFO, "Info.free: MPI.INFO_ENV cannot", MPI.INFO_ENV::free);
    }

    private static void refused(int errorClass, String start, ThrowingCallable call) {
        MPIException refusal = catchThrowableOfType(MPIException.class, call);
        assertThat(refusal).hasMessageStartingWith(start);
        assertThat(refusal.getErrorClass()).isEqualTo(errorClass);
    }
}
