package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.ulfmj.runtime.Communicator;
import org.ulfmj.runtime.error.ErrorClass;

class ConstantsTest {
    @Test
    void shouldHaveOpenMpisNumbers() {
        Map<String, Integer> expected = new TreeMap<>();
        expected.putAll(Map.of("ANY_SOURCE", -1, "ANY_TAG", -1, "PROC_NULL", -2, "UNDEFINED", -32766));
        expected.putAll(Map.of("IDENT", 0, "CONGRUENT", 1, "SIMILAR", 2, "UNEQUAL", 3));
        expected.putAll(Map.of("THREAD_SINGLE", 0, "THREAD_FUNNELED", 1, "THREAD_SERIALIZED", 2, "THREAD_MULTIPLE", 3));
        expected.putAll(Map.of("SUCCESS", 0, "ERR_BUFFER", 1, "ERR_COUNT", 2, "ERR_TYPE", 3, "ERR_TAG", 4));
        expected.putAll(Map.of("ERR_COMM", 5, "ERR_RANK", 6, "ERR_REQUEST", 7, "ERR_ROOT", 8, "ERR_GROUP", 9));
        expected.putAll(Map.of("ERR_OP", 10, "ERR_ARG", 13, "ERR_TRUNCATE", 15, "ERR_OTHER", 16, "ERR_INTERN", 17));
        expected.putAll(Map.of("ERR_IN_STATUS", 18, "ERR_PENDING", 19, "ERR_PORT", 43, "ERR_QUOTA", 44));
        expected.putAll(Map.of("ERR_PROC_ABORTED", 74, "ERR_PROC_FAILED", 75, "ERR_PROC_FAILED_PENDING", 76));
        expected.putAll(Map.of("ERR_REVOKED", 77, "ERR_LASTCODE", 92, "ERR_SYSRESOURCE", -2));

        Map<String, Integer> actual = numbers();
        actual.keySet().retainAll(expected.keySet());

        assertThat(actual).isEqualTo(expected);
    }

    @Test
    void shouldGiveEachErrorClassItsOwnNumber() {
        Map<String, Integer> errors = numbers();
        errors.keySet().removeIf(name -> !name.startsWith("ERR_"));

        assertThat(errors.values()).doesNotHaveDuplicates();
        assertThat(errors.values()).allMatch(number -> number <= MPI.ERR_LASTCODE);
    }

    @Test
    void shouldAgreeWithTheRuntime() {
        Map<String, Integer> numbers = numbers();
        for (ErrorClass error : ErrorClass.values()) {
            String name = error == ErrorClass.SUCCESS ? "SUCCESS" : "ERR_" + error;
            assertThat(numbers).as(name).containsEntry(name, error.code());
        }
        assertThat(MPI.ANY_SOURCE).isEqualTo(Communicator.ANY_SOURCE);
        assertThat(MPI.ANY_TAG).isEqualTo(Communicator.ANY_TAG);
        assertThat(MPI.UNDEFINED).isEqualTo(Communicator.UNDEFINED);
    }

    private static Map<String, Integer> numbers() {
        Map<String, Integer> numbers = new TreeMap<>();
        for (Field field : MPI.class.getDeclaredFields()) {
            if (field.getType() == int.class && Modifier.isPublic(field.getModifiers())) {
                try {
                    numbers.put(field.getName(), field.getInt(null));
                } catch (IllegalAccessException hidden) {
                    throw new AssertionError(hidden);
                }
            }
        }
        return numbers;
    }
}
