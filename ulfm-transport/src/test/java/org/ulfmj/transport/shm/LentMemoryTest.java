package org.ulfmj.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.HostMemory;
import org.ulfmj.transport.Lent;

class LentMemoryTest {
    private static final ProcessId ZERO = ProcessId.of(0);
    private static final long NUMBER = 21;

    @Test
    void shouldTellReadersWhatWasTakenBack() {
        ShmWorld world = new ShmWorld(2);
        try {
            HostMemory owner = world.fabrics[0].hostMemory();
            HostMemory reader = world.fabrics[1].hostMemory();
            Lent lent = owner.lend(1000);
            lent.memory().put(10, (byte) 3);

            ByteBuffer borrowed = reader.borrow(ZERO, lent.id());
            assertThat(borrowed.get(10)).isEqualTo((byte) 3);
            long before = reader.takenBack(ZERO, NUMBER);
            assertThat(owner.takenBack(ZERO, NUMBER)).isEqualTo(before);

            owner.takeBack(NUMBER + 1);
            assertThat(reader.takenBack(ZERO, NUMBER)).isEqualTo(before);
            owner.takeBack(NUMBER);
            assertThat(reader.takenBack(ZERO, NUMBER)).isNotEqualTo(before);
        } finally {
            world.close();
        }
    }

    @Test
    void shouldNotReadOfWhatItDoesNotKnow() {
        ShmWorld world = new ShmWorld(2);
        try {
            HostMemory reader = world.fabrics[1].hostMemory();

            assertThat(reader.borrow(ZERO, 12345)).isNull();
            assertThat(reader.borrow(ProcessId.of(7), 12345)).isNull();
        } finally {
            world.close();
        }
    }
}
