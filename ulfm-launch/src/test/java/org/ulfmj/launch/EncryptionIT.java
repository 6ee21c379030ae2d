package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.launch.Launched.Ended;

/**
 * Tests jobs of real processes whose TCP connections are encrypted, and that processes of other jobs load no
 * cryptography.
 */
class EncryptionIT {
    private static final String ENCRYPTED = "--set ulfm.transport=tcp --set ulfm.net.protect=aead ";

    /**
     * Up to two records are corrupted in transit: the receiver closes the connection, and no rank fails. The program
     * checks each value that it receives.
     */
    @Test
    void shouldGoOnWithRightValuesWhenBitsAreChanged() throws InterruptedException {
        String rule = "corrupt:link=2>0,p=0.05,n=2@t=0s";
        Ended job = Launched.run(Launched.program(
                ENCRYPTED + "-n 3 --inject-report --expect exit=0,dead={},no-false-positive --inject " + rule + " java",
                Injected.class,
                "40",
                "1"));
        assertThat(job.exitCode()).as(job.err()).isZero();
        assertThat(job.out()).contains("rank 0: 40 rounds, 0 failures", "rank 2: 40 rounds, 0 failures");
        assertThat(job.err())
                .containsPattern(
                        "rank 2 sends what cannot be trusted \\(record \\d+ fails its check\\): connection closed")
                .contains("mpiexec: " + rule + ": no rank failed\n");
    }

    @Tag("release")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "reset:link=*,ms=70@t=0s..1500ms;reorder:link=*,n=3@t=0s;delay:link=1>0,ms=2,p=0.3@t=0s..2s",
                "blackhole:link=0>1@t=300ms..700ms;throttle:link=1>2,rate=1000000B/s@t=0s..1s",
                "store-pause:*@t=400ms..900ms;corrupt:link=*,p=0.1,n=9@t=0s"
            })
    void shouldHealAllFaultsOfLinks(String rules) throws InterruptedException {
        Ended job = Launched.run(Launched.program(
                ENCRYPTED + "-n 3 --expect exit=0,dead={},no-false-positive --inject " + rules + " java",
                Injected.class,
                "100",
                "5"));
        assertThat(job.exitCode()).as(job.err()).isZero();
        assertThat(job.out()).contains("rank 0: 100 rounds, 0 failures", "rank 2: 100 rounds, 0 failures");
    }

    /**
     * Checks that a process whose connections are not encrypted does not load the JDK's cryptography, which takes a
     * tenth of a second.
     */
    @Test
    void shouldLoadNoCryptographyWithoutRecords() throws InterruptedException {
        for (String option : List.of("ulfm.net.protect=auto", "ulfm.net.protect=aead")) {
            Ended job = Launched.run(Launched.program(
                    "-n 2 --set ulfm.transport=tcp --set " + option + " java -Xlog:class+load",
                    Greeting.class,
                    "hello"));
            assertThat(job.out()).contains("hello 0/2", "hello 1/2", " org.ulfmj.transport.tcp.FrameWriter ");
            if (option.endsWith("aead")) {
                assertThat(job.out()).contains(" javax.crypto.Cipher ", " org.ulfmj.transport.record.RecordCipher ");
            } else {
                assertThat(job.out()).doesNotContain(" javax.crypto.", " org.ulfmj.transport.record.Record");
            }
        }
    }
}
