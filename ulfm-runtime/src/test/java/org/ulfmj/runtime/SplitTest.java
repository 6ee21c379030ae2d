package org.ulfmj.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Shows which ranks are in which part of a split communicator, and in which order. */
class SplitTest {
    @Test
    void shouldSplitByColourAndOrderByKey() throws Exception {
        new LocalRanks(5).runOnce(rank -> {
            Communicator world = rank.world();
            int colour = world.rank() == 4 ? Communicator.UNDEFINED : world.rank() % 2;
            Communicator part = world.creation().split(colour, -world.rank());
            if (world.rank() == 4) {
                assertThat(part).isNull();
            } else {
                assertThat(part.size()).isEqualTo(2);
                assertThat(part.rank()).isEqualTo(world.rank() < 2 ? 1 : 0);
                ByteBuffer mine = ByteBuffer.allocate(4).putInt(0, world.rank());
                Messages.send(part, mine.array(), 1 - part.rank(), 0);
                byte[] got = Messages.receive(part, 4, 1 - part.rank(), 0);
                assertThat(ByteBuffer.wrap(got).getInt()).isEqualTo(world.rank() ^ 2);
                part.free();
            }
        });
    }
}
