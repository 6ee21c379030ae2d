package org.ulfmj.check.exhaustive;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StoryTest {
    private static final int CALLS = LocalEvent.code(LocalEvent.What.CALLS, 0, 0);
    private static final int REVOKES = LocalEvent.code(LocalEvent.What.REVOKES, 0, 0);

    @Test
    void shouldNameTheCommunicatorThatIsRevoked() {
        assertThat(revocation("agree-revoke", 0)).endsWith("COMM_WORLD");
        assertThat(revocation("housekeeping", 1, CALLS)).endsWith("the first communicator that the program makes");
    }

    /** The line of a revocation by a rank, after these events at the rank. */
    private static String revocation(String name, int rank, int... before) {
        World world = Exhaustive.named(name);
        LocalStates local = new LocalStates(world);
        int state = local.start(rank).next();
        for (int event : before) {
            state = local.step(state, event).next();
        }
        Story story = new Story(world, local);
        story.add(new Explorer.Happening(rank, REVOKES, -1), local.step(state, REVOKES));
        return story.lines().get(0);
    }
}
