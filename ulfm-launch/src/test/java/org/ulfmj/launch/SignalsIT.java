package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests signals that are meant for the processes, and what is reported of the processes when the time is over. */
class SignalsIT {
    @Test
    void shouldRunTheActionsOfJavaRanksAndTellWhereThereIsNone() throws Exception {
        try (Launched job = Launched.start(Launched.program("-n 2 --forward-signals SIGWINCH java", Signalled.class))) {
            job.awaitOutput("0 is ready");
            passOn(job, "USR2");
            passOn(job, "USR1");
            // The actions run on a daemon thread of the library. A rank that ends does not wait for them, so the test
            // waits for this line first.
            job.awaitOutput("1 got USR1\n");
            job.awaitError("rank 0 got SIGUSR1 and does nothing");
            passOn(job, "WINCH");
            assertThat(job.exitCode()).as(job.err()).isZero();
            assertThat(job.out().lines())
                    .containsExactlyInAnyOrder(
                            "onSignal: the name of the signal is missing",
                            "0 is ready",
                            "0 got USR2 on ulfm-signals",
                            "1 got USR2 on ulfm-signals",
                            "0 got WINCH",
                            "1 got WINCH",
                            "1 got USR1");
            assertThat(job.err())
                    .contains("java.lang.IllegalStateException: thrown for a test\n")
                    .contains("rank 0 got SIGUSR1 and does nothing, because its program has no action for it"
                            + " (MPI.onSignal)\n");
        }
    }

    private static void passOn(Launched job, String signal) throws Exception {
        job.signal(signal);
        job.awaitError("mpiexec: got SIG" + signal + " and passed it on\n");
    }

    /**
     * Checks a signal that comes to a rank directly, as from Slurm's {@code --signal=USR1@60}, which sends it to each
     * process: the rank treats it like one that mpiexec has passed on.
     */
    @Test
    void shouldTakeASignalToARankItselfForOneThatWasPassedOn() throws Exception {
        try (Launched job = Launched.start(Launched.program("-n 2 java", Signalled.class, "raw", "signal"))) {
            job.awaitError("rank 0 got SIGUSR1 and does nothing, because its program has no action for it");
            job.awaitOutput("1 got USR1\n");
            job.signal("TERM");
            assertThat(job.exitCode()).as(job.err()).isEqualTo(143);
        }
    }

    @Test
    void shouldGiveOtherExecutablesTheSignalItself() throws Exception {
        String script = "trap 'echo $ULFM_RANK got it; exit' USR1; echo ready; while :; do sleep 0.05; done";
        try (Launched job = Launched.start("-n", "1", "sh", "-c", script)) {
            job.awaitOutput("ready");
            job.signal("USR1");
            assertThat(job.exitCode()).isZero();
            assertThat(job.out()).isEqualTo("ready\n0 got it\n");
        }
    }

    @Test
    void shouldReportStatesAndStacksWhenTheTimeIsOver() throws Exception {
        String script = "java() { " + System.getProperty("java.home") + "/bin/java \"$@\"; }; java -cp"
                + " $CLASSPATH:target/test-classes " + Signalled.class.getName() + " begun; true";
        String options = " --report-state-on-timeout --get-stack-traces --set ulfm.grace=30s -n 1 sh -c";
        try (Launched job = Launched.untilOver(
                seconds -> Launched.start(Launched.words("--timeout " + seconds + options, script)), "begun")) {
            assertThat(job.exitCode()).isEqualTo(124);
            assertThat(job.err())
                    .contains("mpiexec: state of the processes, ")
                    .containsPattern(
                            "mpiexec:   rank 0: has not called MPI\\.Init; pid \\d+ \\(sh\\), state S, 1 threads,"
                                    + " 0\\.\\d s of processor time\n");
            assertThat(job.out()).contains("Full thread dump", "Signalled.main");
        }
    }

    @Test
    void shouldSpareVirtualMachinesThatAreNotInMpi() throws Exception {
        try (Launched job = Launched.start(Launched.program("-n 1 java", Signalled.class, "without MPI"))) {
            job.awaitOutput("without MPI");
            job.signal("USR2");
            job.awaitError(
                    "mpiexec: got SIGUSR2 and passed it on, but not to rank 0, which is not in MPI: its Java virtual"
                            + " machine would end by it\n");
            job.signal("TERM");
            assertThat(job.exitCode()).isEqualTo(143);
        }
    }
}
