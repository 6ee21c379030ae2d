package org.ulfmj.rendezvous.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;

/**
 * Tests the server's half of store sessions: which requests are carried out, which results are kept, which requests
 * wait. The first process of slot s has nonce 10 + s.
 */
class StoreServerTest {
    private final StoreServer server = new StoreServer(7);
    private final List<String> told = new ArrayList<>();
    private final StoreServer.Answers answers = new StoreServer.Answers() {
        @Override
        public void answer(long nonce, long id, StoreResult result) {
            told.add(nonce + "." + id + " " + shown(result));
        }

        @Override
        public void expired(long nonce, long session, String why) {
            told.add(nonce + " expired " + session);
        }
    };

    private final long[] sessions = new long[10];

    private static String shown(StoreResult result) {
        if (result instanceof StoreResult.Found found) {
            return found.version() == 0
                    ? "absent"
                    : new String(found.value(), StandardCharsets.UTF_8) + "@" + found.version();
        }
        if (result instanceof StoreResult.Stored stored) {
            return "stored " + stored.version();
        }
        if (result instanceof StoreResult.Sum sum) {
            return "sum " + sum.sum();
        }
        if (result instanceof StoreResult.Changed changed) {
            return (changed.isReset() ? "reset " : "") + changed.changes() + " until "
                    + changed.next().last();
        }
        if (result instanceof StoreResult.Refused refused) {
            return "refused: " + refused.why();
        }
        return "withdrawn";
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private List<String> take() {
        List<String> taken = List.copyOf(told);
        told.clear();
        return taken;
    }

    private List<String> ask(int slot, long id, StoreRequest request, Long... open) {
        return ask(ProcessId.of(slot), id, request, open);
    }

    private List<String> ask(ProcessId process, long id, StoreRequest request, Long... open) {
        long nonce = 10L + process.slot() + 100L * process.incarnation();
        int place = process.slot() + 5 * process.incarnation();
        if (sessions[place] == 0) {
            sessions[place] = server.greet(nonce, 0, 1).session();
        }
        server.onRequest(nonce, process, sessions[place], id, List.of(open), request, answers);
        return take();
    }

    private List<String> set(int slot, long id, String key, String value) {
        return ask(slot, id, new StoreRequest.Set(key, bytes(value)));
    }

    private static StoreRequest get(String key) {
        return new StoreRequest.Get(key, false);
    }

    private static StoreRequest changes(String prefix, long last, long since) {
        return new StoreRequest.Changes(prefix, new StoreCursor(last, since));
    }

    @Test
    void shouldGiveEachChangeTheNextVersion() {
        assertThat(ask(0, 1, get("a"))).containsExactly("10.1 absent");
        assertThat(set(0, 2, "a", "x")).containsExactly("10.2 stored 1");
        assertThat(set(0, 3, "b", "y")).containsExactly("10.3 stored 2");
        assertThat(set(1, 1, "a", "z")).containsExactly("11.1 stored 3");
        assertThat(ask(0, 4, get("a"))).containsExactly("10.4 z@3");
        assertThat(ask(0, 5, new StoreRequest.Delete("a"))).containsExactly("10.5 stored 4");
        assertThat(ask(0, 6, new StoreRequest.Delete("a"))).containsExactly("10.6 stored 0");
        assertThat(ask(0, 7, get("a"))).containsExactly("10.7 absent");
    }

    @Test
    void shouldCompareVersionsSoThatAValueThatIsThereAgainIsNotTakenForTheSame() {
        StoreRequest first = new StoreRequest.CompareAndSet("a", 0, bytes("x"));
        assertThat(ask(0, 1, first)).containsExactly("10.1 stored 1");
        assertThat(ask(1, 1, first)).containsExactly("11.1 x@1");
        set(1, 2, "a", "y");
        set(1, 3, "a", "x");
        assertThat(ask(0, 2, new StoreRequest.CompareAndSet("a", 1, bytes("z"))))
                .containsExactly("10.2 x@3");
        ask(1, 4, new StoreRequest.Delete("a"));
        assertThat(ask(0, 3, new StoreRequest.CompareAndSet("a", 3, bytes("z"))))
                .containsExactly("10.3 absent");
        assertThat(ask(0, 4, new StoreRequest.CompareAndSet("a", 0, bytes("z"))))
                .containsExactly("10.4 stored 5");
    }

    @Test
    void shouldAddToDecimalNumbersAndRefuseAnythingElse() {
        assertThat(ask(0, 1, new StoreRequest.Add("n", 5))).containsExactly("10.1 sum 5");
        assertThat(ask(1, 1, new StoreRequest.Add("n", -7))).containsExactly("11.1 sum -2");
        assertThat(ask(0, 2, get("n"))).containsExactly("10.2 -2@2");
        set(0, 3, "n", "two");
        String allowed = "cannot be added: allowed are decimal numbers of 64 bits, and their sum must be one";
        assertThat(ask(0, 4, new StoreRequest.Add("n", 1)))
                .containsExactly("10.4 refused: key 'n' holds 'two', to which 1 " + allowed);
        set(0, 5, "n", "9223372036854775807");
        assertThat(ask(0, 6, new StoreRequest.Add("n", 1)))
                .containsExactly("10.6 refused: key 'n' holds '9223372036854775807', to which 1 " + allowed);
        set(0, 7, "n", "0".repeat(30));
        assertThat(ask(0, 8, new StoreRequest.Add("n", 1)))
                .containsExactly("10.8 refused: key 'n' holds a value of 30 bytes, to which 1 " + allowed);
    }

    @Test
    void shouldRefuseLongKeysAndValuesByKeySizeAndLimit() {
        String long64 = "k".repeat(64) + "…";
        assertThat(set(0, 1, "k".repeat(1025), "x"))
                .containsExactly("10.1 refused: key '" + long64 + "' has 1025 bytes, 1 to 1024 are allowed");
        assertThat(set(0, 2, "", "x")).containsExactly("10.2 refused: key '' has 0 bytes, 1 to 1024 are allowed");
        assertThat(set(0, 3, "k".repeat(1024), "x")).containsExactly("10.3 stored 1");
        assertThat(ask(0, 4, new StoreRequest.Set("k", new byte[(1 << 20) + 1])))
                .containsExactly("10.4 refused: value of 1048577 bytes for key 'k', at most 1048576 are allowed");
        assertThat(ask(0, 5, new StoreRequest.CompareAndSet("k", 0, new byte[(1 << 20) + 1])))
                .containsExactly("10.5 refused: value of 1048577 bytes for key 'k', at most 1048576 are allowed");
        for (StoreRequest request : List.of(
                get("ä".repeat(513)),
                new StoreRequest.Get("", true),
                new StoreRequest.Delete("k".repeat(1025)),
                new StoreRequest.Add("", 1),
                changes("k".repeat(1025), 0, 0))) {
            assertThat(ask(1, 1 + server.keptFor(11), request).get(0)).contains("1 to 1024 are allowed");
        }
    }

    @Test
    void shouldHold64MebibytesInAll() {
        int each = (1 << 20) - 2;
        for (int i = 10; i < 74; i++) {
            assertThat(ask(0, i, new StoreRequest.Set("" + i, new byte[each])))
                    .hasSize(1)
                    .first()
                    .asString()
                    .contains("stored");
        }
        assertThat(set(0, 80, "more", "x"))
                .containsExactly("10.80 refused: key 'more' needs 5 bytes more, the store holds 67108864, at most"
                        + " 67108864 are allowed");
        assertThat(set(0, 81, "10", "x")).as("shorter than before").containsExactly("10.81 stored 65");
        assertThat(set(0, 82, "more", "x")).containsExactly("10.82 stored 66");
        ask(0, 83, new StoreRequest.Delete("11"));
        assertThat(ask(0, 84, new StoreRequest.Set("11", new byte[each]))).containsExactly("10.84 stored 68");
    }

    @Test
    void shouldAnswerOnceThereIsAValue() {
        StoreRequest waiting = new StoreRequest.Get("a", true);
        assertThat(ask(0, 1, waiting)).isEmpty();
        assertThat(ask(1, 1, waiting)).isEmpty();
        assertThat(set(2, 1, "b", "x")).containsExactly("12.1 stored 1");
        assertThat(set(2, 2, "a", "y")).containsExactly("10.1 y@2", "11.1 y@2", "12.2 stored 2");
        assertThat(set(2, 3, "a", "z")).containsExactly("12.3 stored 3");
    }

    @Test
    void shouldAnswerAWithdrawnRequestWithoutAnEffect() {
        ask(0, 1, new StoreRequest.Get("a", true));
        assertThat(ask(0, 2, new StoreRequest.Withdraw(1), 1L)).containsExactly("10.1 withdrawn", "10.2 stored 0");
        assertThat(set(1, 1, "a", "x")).containsExactly("11.1 stored 1");
        assertThat(ask(0, 3, new StoreRequest.Withdraw(1))).containsExactly("10.3 stored 0");
        assertThat(ask(0, 4, new StoreRequest.Withdraw(99))).containsExactly("10.4 stored 0");
    }

    @Test
    void shouldNotRunARequestThatComesAgain() {
        StoreRequest add = new StoreRequest.Add("n", 1);
        assertThat(ask(0, 1, add)).containsExactly("10.1 sum 1");
        assertThat(ask(0, 1, add)).as("its answer was lost").containsExactly("10.1 sum 1");
        assertThat(ask(0, 2, add)).containsExactly("10.2 sum 2");
        assertThat(ask(0, 1, add)).as("it has the answer, as it said").isEmpty();
        ask(0, 3, new StoreRequest.Get("never", true));
        assertThat(ask(0, 3, new StoreRequest.Get("never", true))).isEmpty();
        assertThat(server.keptFor(10)).isEqualTo(1);
    }

    @Test
    void shouldKeepResultsUntilTheyAreAcknowledgedAndNoLonger() {
        ask(0, 1, new StoreRequest.Get("never", true));
        for (long id = 2; id <= 1_000; id++) {
            ask(0, id, new StoreRequest.Add("n", 1), 1L);
        }
        assertThat(server.keptFor(10)).as("one waits, one is not acknowledged").isEqualTo(2);
        assertThat(ask(0, 1_000, new StoreRequest.Add("n", 1), 1L)).containsExactly("10.1000 sum 999");
    }

    @Test
    void shouldKnowEverySessionByItsNumber() {
        assertThat(server.greet(10, 0, 1)).isEqualTo(new StoreWelcome(7, 1));
        assertThat(server.greet(11, 0, 1)).isEqualTo(new StoreWelcome(7, 2));
        assertThat(server.greet(10, 0, 2)).as("its answer was lost").isEqualTo(new StoreWelcome(7, 1));
        assertThat(server.greet(10, 1, 3)).isEqualTo(new StoreWelcome(7, 1));
        assertThat(server.greet(10, 1, 3)).as("a late dial").isNull();
        assertThat(server.greet(10, 2, 4)).as("another's session").isEqualTo(new StoreWelcome(7, 0));
        assertThat(server.greet(99, 5, 1)).as("of another launcher").isEqualTo(new StoreWelcome(7, 0));
    }

    @Test
    void shouldRunNothingOfAnUnknownOrEndedSession() {
        set(0, 1, "a", "x");
        server.onRequest(10, ProcessId.of(0), 99, 2, List.of(), new StoreRequest.Delete("a"), answers);
        server.onRequest(77, ProcessId.of(1), 1, 1, List.of(), new StoreRequest.Delete("a"), answers);
        assertThat(take()).containsExactly("10 expired 99", "77 expired 1");
        ask(0, 2, new StoreRequest.Get("b", true));
        server.end(10);
        server.end(12);
        assertThat(set(1, 1, "b", "y")).as("the waiting request was dropped").containsExactly("11.1 stored 2");
        assertThat(ask(0, 3, new StoreRequest.Delete("a"))).containsExactly("10 expired 1");
        assertThat(server.greet(10, 1, 9)).isEqualTo(new StoreWelcome(7, 0));
        assertThat(server.greet(10, 0, 10)).as("a late dial opens nothing").isEqualTo(new StoreWelcome(7, 0));
        assertThat(ask(1, 2, get("a"))).containsExactly("11.2 x@1");
    }

    @Test
    void shouldEndTheSessionOfAnEarlierProcessOfTheSlotBeforeTheNextOneRuns() {
        ask(0, 1, new StoreRequest.Get("a", true));
        assertThat(ask(new ProcessId(0, 1), 1, new StoreRequest.Set("a", bytes("x"))))
                .containsExactly("110.1 stored 1");
        assertThat(ask(0, 2, new StoreRequest.Delete("a"))).containsExactly("10 expired 1");
        assertThat(ask(new ProcessId(1, 0), 1, get("a"))).containsExactly("11.1 x@1");
    }

    /**
     * The first request of a process that was killed may still be unread when its successor's first request is carried
     * out.
     */
    @Test
    void shouldCarryOutNothingOfAProcessWhoseSuccessorHasAsked() {
        assertThat(ask(new ProcessId(0, 1), 1, get("a"))).containsExactly("110.1 absent");
        assertThat(ask(0, 1, new StoreRequest.Set("a", bytes("x")))).containsExactly("10 expired 2");
        assertThat(ask(new ProcessId(1, 0), 1, get("a"))).containsExactly("11.1 absent");
    }

    @Test
    void shouldTellAWatcherTheStateAndThenEachChange() {
        set(0, 1, "w/a", "1");
        set(0, 2, "v", "2");
        set(0, 3, "w/b", "3");
        set(0, 4, "w/a", "4");
        ask(0, 5, new StoreRequest.Delete("w/b"));
        assertThat(ask(1, 1, changes("w/", 0, 0))).containsExactly("11.1 [w/a@4 1 bytes] until 5");
        assertThat(ask(1, 2, changes("w/", 5, 5))).isEmpty();
        assertThat(set(0, 6, "v", "x")).containsExactly("10.6 stored 6");
        assertThat(set(0, 7, "w/c", "xy")).containsExactly("11.2 [w/c@7 2 bytes] until 7", "10.7 stored 7");
        set(0, 8, "w/c", "z");
        ask(0, 9, new StoreRequest.Delete("w/a"));
        assertThat(ask(1, 3, changes("w/", 7, 5))).containsExactly("11.3 [w/c@8 1 bytes, w/a@9 deleted] until 9");
        assertThat(ask(1, 4, changes("", 8, 5))).as("all keys").containsExactly("11.4 [w/a@9 deleted] until 9");
    }

    @Test
    void shouldTellAWatcherToBeginAnewOnceADeletionIsForgotten() {
        set(0, 1, "w/a", "1");
        set(0, 2, "w/b", "2");
        ask(0, 3, new StoreRequest.Delete("w/a"));
        for (int i = 0; i < StoreLimits.PAST_CHANGES - 2; i++) {
            set(0, 4 + i, "v", "x");
        }
        assertThat(ask(1, 1, changes("w/", 2, 2)).get(0)).startsWith("11.1 [w/a@3 deleted] until");
        for (int i = 0; i < 10; i++) {
            set(0, 2_000 + i, "v", "x");
        }
        long version = 3 + StoreLimits.PAST_CHANGES - 2 + 10;
        assertThat(ask(1, 2, changes("w/", 2, 2))).containsExactly("11.2 reset [w/b@2 1 bytes] until " + version);
        assertThat(ask(1, 3, changes("w/", 1, 4)))
                .as("it began to be told the state after the deletion")
                .containsExactly("11.3 [w/b@2 1 bytes] until " + version);
        assertThat(ask(2, 1, changes("none/", 2, 2)))
                .as("nothing is there, and that is news")
                .containsExactly("12.1 reset [] until " + version);
    }

    @Test
    void shouldNotMakeAWaitingWatcherBeginAnewForKeysThatAreNotItsOwn() {
        set(0, 1, "w/a", "1");
        assertThat(ask(1, 1, changes("w/", 1, 1))).isEmpty();
        for (int i = 0; i < 2 * StoreLimits.PAST_CHANGES; i++) {
            set(0, 2 + 2 * i, "v", "x");
            ask(0, 3 + 2 * i, new StoreRequest.Delete("v"));
        }
        assertThat(set(0, 9_000, "w/a", "2").get(0)).isEqualTo("11.1 [w/a@4098 1 bytes] until 4098");
    }

    @Test
    void shouldCutALongListAndGoOnWhereItEnded() {
        for (int i = 0; i < 300; i++) {
            set(0, 1 + i, "w/" + i, "x");
        }
        assertThat(ask(1, 1, changes("w/", 0, 0)).get(0)).contains("w/255@256").endsWith(" until 256");
        assertThat(ask(1, 2, changes("w/", 256, 300)).get(0))
                .startsWith("11.2 [w/256@257")
                .endsWith("w/299@300 1 bytes] until 300");
        for (int i = 0; i < 3; i++) {
            ask(0, 400 + i, new StoreRequest.Set("l/" + i, new byte[600_000]));
        }
        assertThat(ask(1, 3, changes("l/", 0, 0)))
                .containsExactly("11.3 [l/0@301 600000 bytes, l/1@302 600000 bytes] until 302");
        assertThat(ask(1, 4, changes("l/", 302, 303))).containsExactly("11.4 [l/2@303 600000 bytes] until 303");
    }
}
