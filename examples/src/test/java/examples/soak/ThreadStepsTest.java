package examples.soak;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.function.BiConsumer;
import mpi.MPI;
import mpi.RevokedException;
import org.junit.jupiter.api.Test;
import org.ulfmj.testkit.LocalWorld;

class ThreadStepsTest {
    @Test
    void shouldEndTheThreadsOfOtherRanksAfterAnErrorInOne() {
        LinkageError error = new LinkageError("no such method");
        BiConsumer<Message, Message> failing = (out, in) -> {
            throw error;
        };
        LocalWorld.of(2)
                .timeout(Duration.ofSeconds(20))
                .run(() -> {
                    MPI.Init(new String[0]);
                    Scope scope = new Scope(MPI.COMM_WORLD.dup(), 1);
                    if (scope.rank == 0) {
                        assertThatThrownBy(() -> run(scope, failing)).isSameAs(error);
                    } else {
                        MessageSteps messages = new MessageSteps(RankStatus.inMemory(), new OpenInboxes());
                        assertThatThrownBy(() -> run(scope, messages::exchange)).isInstanceOf(RevokedException.class);
                    }
                    MPI.Finalize();
                })
                .requireSurvivorsSucceeded();
    }

    private static void run(Scope scope, BiConsumer<Message, Message> exchange) {
        new ThreadSteps(exchange).run(scope, new Step(1, 1));
    }
}
