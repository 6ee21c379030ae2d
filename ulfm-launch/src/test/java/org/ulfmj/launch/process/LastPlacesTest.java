package org.ulfmj.launch.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.io.OutputStream;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;

/** Tests {@link LastPlaces}: which local rank a process gets that moves to another host, or comes back. */
class LastPlacesTest {
    private static final int A = 0;
    private static final int B = 1;

    private final LastPlaces last = new LastPlaces();

    @Test
    void shouldGiveTheLowestFreeLocalRankToAProcessThatMoves() {
        start(2, B, 0);
        start(3, B, 1);
        Standing first = start(0, A, 0);
        first.isAlive = false;
        assertThat(last.host(0, B)).isEqualTo(A);
        assertThat(last.localRank(0, B, 0)).isEqualTo(2);
    }

    @Test
    void shouldGiveTheLocalRankOfAnEndedProcessAgain() {
        start(2, B, 0).isAlive = false;
        start(3, B, 1);
        assertThat(last.localRank(2, B, 0)).as("of its successor").isEqualTo(0);
        assertThat(last.localRank(0, B, 0)).as("of a process that moves there").isEqualTo(0);
        start(0, B, 0);
        assertThat(last.localRank(2, B, 0))
                .as("of a successor that comes later")
                .isEqualTo(2);
    }

    @Test
    void shouldKeepTheLocalRankBesideThoseOfOtherHosts() {
        start(0, A, 0);
        assertThat(last.host(2, B)).as("no process has had the slot").isEqualTo(B);
        assertThat(last.localRank(2, B, 0)).isEqualTo(0);
    }

    private Standing start(int slot, int host, int localRank) {
        Standing process = new Standing();
        last.put(slot, RankProcess.of(new ProcessId(slot, 0), process), host, localRank);
        return process;
    }

    /** Stands for a process that runs until the test says that it has ended. */
    private static final class Standing extends Process {
        private boolean isAlive = true;

        @Override
        public boolean isAlive() {
            return isAlive;
        }

        @Override
        public OutputStream getOutputStream() {
            return OutputStream.nullOutputStream();
        }

        @Override
        public InputStream getInputStream() {
            return InputStream.nullInputStream();
        }

        @Override
        public InputStream getErrorStream() {
            return InputStream.nullInputStream();
        }

        @Override
        public int waitFor() {
            return 0;
        }

        @Override
        public int exitValue() {
            return 0;
        }

        @Override
        public void destroy() {
            isAlive = false;
        }
    }
}
