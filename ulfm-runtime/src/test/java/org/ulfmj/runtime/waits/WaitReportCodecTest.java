package org.ulfmj.runtime.waits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.WireFormatException;

class WaitReportCodecTest {
    private static final Need NEED =
            new Need("receive", "tag 7", "dup of COMM_WORLD", -3, 4, 12, false, List.of(new AwaitedRank(1, 3)));
    static final WaitReport REPORT = new WaitReport(
            new ProcessId(5, 2),
            new Activity(Activity.Kind.IN_OPERATOR, 17, "reduce", "demo.Op.call(Op.java:3)"),
            List.of(new Wait("worker", 1L << 40, "recv", "demo.Main.run(Main.java:9)", true, List.of(NEED), 6)),
            2,
            3,
            4,
            List.of(1, 8),
            new Stillness(1L << 41, 1L << 42, true));

    @Test
    void shouldReadWhatItWrote() {
        assertThat(WaitReportCodec.decode(WaitReportCodec.encode(REPORT))).isEqualTo(REPORT);
    }

    @Test
    void shouldStayWithinItsBoundWhateverTheProgramCallsItsThings() {
        String text = "長".repeat(10_000);
        Need need =
                new Need(text, text, text, 1, 1, 1, true, Collections.nCopies(Need.MOST_PEERS, new AwaitedRank(1, 1)));
        Wait wait = new Wait(text, 1, text, text, true, Collections.nCopies(Wait.MOST_NEEDS, need), 1000);
        WaitReport report = new WaitReport(
                ProcessId.of(1),
                new Activity(Activity.Kind.BLOCKED, 1, text, text),
                Collections.nCopies(WaitReport.MOST_WAITS, wait),
                1,
                1,
                1,
                Collections.nCopies(WaitReport.MOST_FAILED, 1),
                new Stillness(0, 1, false));
        byte[] bytes = WaitReportCodec.encode(report);
        assertThat(bytes).hasSizeLessThanOrEqualTo(WaitReportCodec.MAX_BYTES);
        WaitReport read = WaitReportCodec.decode(bytes);
        for (Wait one : read.waits()) {
            assertThat(one.moreNeeds() + one.needs().size()).isEqualTo(1008);
        }
    }

    @Test
    void shouldRefuseEverythingElseByItsOwnException() {
        byte[] bytes = WaitReportCodec.encode(REPORT);
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatExceptionOfType(WireFormatException.class).isThrownBy(() -> WaitReportCodec.decode(cut));
        }
        SplittableRandom random = new SplittableRandom(20261121);
        int refused = 0;
        for (int i = 0; i < 50_000; i++) {
            byte[] spoiled = bytes.clone();
            for (int flips = random.nextInt(1, 4); flips > 0; flips--) {
                spoiled[random.nextInt(spoiled.length)] = (byte) random.nextInt();
            }
            try {
                WaitReportCodec.decode(spoiled);
            } catch (WireFormatException e) {
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(10_000);
        assertThatExceptionOfType(WireFormatException.class)
                .isThrownBy(() -> WaitReportCodec.decode(new byte[WaitReportCodec.MAX_BYTES + 1]));
    }
}
