package org.ulfmj.runtime.error;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProgramStackTest {
    @Test
    void shouldFindTheProgramsLineBelowTheLibrary() {
        ProgramStack stack = stack(
                "java.lang.Thread.yield",
                "org.ulfmj.runtime.progress.PollingProgress.drive",
                "mpi.PointToPoint.receive",
                "mpi.Comm.recv",
                "demo.Main.step",
                "demo.Main.main");
        assertThat(stack.site()).isEqualTo("demo.Main.step(File.java:5)");
        assertThat(stack.call()).isEqualTo("recv");
        assertThat(stack.runsProgram()).isFalse();
    }

    @Test
    void shouldFindTheInnermostLineOfAProgramThatComputes() {
        ProgramStack stack = stack("java.lang.Math.sin", "demo.Heat.relax", "demo.Heat.main");
        assertThat(stack.site()).isEqualTo("demo.Heat.relax(File.java:2)");
        assertThat(stack.call()).isEmpty();
        assertThat(stack.runsProgram()).isTrue();
    }

    @Test
    void shouldKnowAnOperatorThatMpiCalled() {
        ProgramStack stack = stack(
                "demo.Slow.combine",
                "mpi.UserOperator.apply",
                "org.ulfmj.runtime.collective.CollectiveSchedule.runDueStep",
                "mpi.Comm.reduce",
                "demo.Main.main");
        assertThat(stack.site()).isEqualTo("demo.Slow.combine(File.java:1)");
        assertThat(stack.call()).isEqualTo("reduce");
        assertThat(stack.runsProgram()).isTrue();
    }

    @Test
    void shouldKnowNothingOfAStackWithoutAProgram() {
        assertThat(stack().site()).isEmpty();
        ProgramStack own = stack("java.lang.Object.wait", "org.ulfmj.runtime.progress.ProgressThread.run");
        assertThat(own.site() + own.call()).isEmpty();
        assertThat(own.runsProgram()).isFalse();
    }

    private static ProgramStack stack(String... methods) {
        StackTraceElement[] frames = new StackTraceElement[methods.length];
        for (int i = 0; i < methods.length; i++) {
            int dot = methods[i].lastIndexOf('.');
            frames[i] = new StackTraceElement(
                    methods[i].substring(0, dot), methods[i].substring(dot + 1), "File.java", i + 1);
        }
        return new ProgramStack(frames);
    }
}
