package org.ulfmj.rendezvous.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A process's side of its session. */
class StoreClientTest {
    private static final StoreRequest PLAIN = new StoreRequest.Get("k", false);

    private final StoreClient client = new StoreClient(7);
    private final List<String> sent = new ArrayList<>();
    private final StoreClient.Line line =
            (session, id, open, request) -> sent.add(session + "." + id + " " + open + " " + request);

    private StoreReply get(String key) {
        return client.ask(new StoreRequest.Get(key, true), line);
    }

    @Test
    void shouldNumberRequestsAndNameThoseThatAreOpen() {
        get("a");
        get("b");
        client.onAnswer(1, new StoreResult.Found(1, new byte[1]));
        get("c");
        assertThat(sent)
                .containsExactly(
                        "7.1 [] Get[key=a, isWaiting=true]",
                        "7.2 [1] Get[key=b, isWaiting=true]",
                        "7.3 [2] Get[key=c, isWaiting=true]");
    }

    @Test
    void shouldSendWhatIsOpenAgainInOrder() {
        get("a");
        get("b");
        get("c");
        client.onAnswer(2, new StoreResult.Withdrawn());
        sent.clear();
        client.onConnected(line);
        assertThat(sent).containsExactly("7.1 [] Get[key=a, isWaiting=true]", "7.3 [1] Get[key=c, isWaiting=true]");
    }

    @Test
    void shouldPassOverAnAnswerThatComesAgain() {
        StoreReply reply = get("a");
        assertThat(reply.isDone()).isFalse();
        assertThatThrownBy(reply::result)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the store has not answered request 1 yet");
        client.onAnswer(1, new StoreResult.Stored(1));
        client.onAnswer(1, new StoreResult.Stored(2));
        client.onAnswer(5, new StoreResult.Stored(3));
        assertThat(reply.result()).isEqualTo(new StoreResult.Stored(1));
    }

    @Test
    void shouldTakeNoMoreThan64UnansweredRequestsAndTheirWithdrawals() {
        List<StoreReply> replies = new ArrayList<>();
        for (int i = 0; i < StoreLimits.MAX_UNANSWERED; i++) {
            assertThat(client.hasRoom(PLAIN)).isTrue();
            replies.add(client.ask(PLAIN, line));
        }
        assertThat(client.hasRoom(PLAIN)).isFalse();
        assertThatThrownBy(() -> client.ask(PLAIN, line)).hasMessage("64 requests to the store are unanswered");
        for (StoreReply reply : replies) {
            client.withdraw(reply, line);
        }
        assertThat(client.open()).isEqualTo(StoreLimits.MAX_OPEN);
        client.onAnswer(1, new StoreResult.Withdrawn());
        sent.clear();
        client.withdraw(replies.get(0), line);
        assertThat(sent).as("it is answered").isEmpty();
    }

    @Test
    void shouldLeaveRoomForRequestsThatEndTheWaitsOfOthers() {
        StoreRequest waiting = new StoreRequest.Get("go", true);
        List<StoreReply> waits = new ArrayList<>();
        while (client.hasRoom(waiting)) {
            waits.add(client.ask(waiting, line));
        }
        assertThat(waits).hasSize(StoreLimits.MAX_WAITING);
        assertThat(client.hasRoom(new StoreRequest.Changes("", StoreCursor.START)))
                .isFalse();
        assertThat(client.hasRoom(PLAIN)).isTrue();
        client.onAnswer(waits.get(0).id(), new StoreResult.Withdrawn());
        assertThat(client.hasRoom(waiting)).isTrue();
    }

    @Test
    void shouldSendNothingOfALostSessionAgain() {
        StoreReply open = get("a");
        client.lose("for a test");
        client.lose("for another");
        sent.clear();
        client.onConnected(line);
        assertThat(get("b").unknownBecause()).isEqualTo("for a test");
        assertThat(open.unknownBecause()).isEqualTo("for a test");
        assertThat(open.result()).isNull();
        assertThat(sent).isEmpty();
    }

    @Test
    void shouldBeLostFromTheStartWithoutASession() {
        assertThat(new StoreClient(0).ask(new StoreRequest.Delete("a"), line).unknownBecause())
                .isEqualTo("the store has no session of this process any more");
        assertThat(sent).isEmpty();
    }
}
