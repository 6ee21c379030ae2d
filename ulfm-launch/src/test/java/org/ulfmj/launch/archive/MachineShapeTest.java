package org.ulfmj.launch.archive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MachineShapeTest {
    @Test
    void shouldTellCollectorsAndLayoutsApart() {
        List<MachineShape> shapes = List.of(
                shape(),
                shape("-XX:+UseSerialGC"),
                shape("-XX:+UseZGC"),
                shape("-XX:-UseCompressedOops"),
                shape("-XX:ObjectAlignmentInBytes=16"),
                shape("-XX:+UseCompactObjectHeaders"),
                shape("-XX:ActiveProcessorCount=1"),
                MachineShape.of(List.of(), List.of(), 1));
        assertThat(shapes).doesNotContainNull().doesNotHaveDuplicates();
        assertThat(shapes.stream().map(MachineShape::name)).doesNotHaveDuplicates();
    }

    @Test
    void shouldTakeOptionsThatChangeNeitherForTheSame() {
        assertThat(shape("-Xmx4g", "-Xss1m", "-ea", "-Dname=value", "-XX:+UseNUMA", "-Xlog:gc"))
                .isEqualTo(shape());
        assertThat(MachineShape.of(List.of(), List.of("-Xmx30g", "", "-Dname=value"), 64))
                .isEqualTo(shape());
    }

    @Test
    void shouldKnowThatLargeHeapsHaveLongReferences() {
        assertThat(shape("-Xmx64g"))
                .isEqualTo(shape("-Xms33g", "-XX:MaxHeapSize=40G"))
                .isEqualTo(shape("-XX:-UseCompressedOops"));
        assertThat(shape("-Xmx32g")).as("the limit depends on the collector").isNull();
        assertThat(shape("-Xmx68719476736")).isEqualTo(shape("-Xmx64g"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-javaagent:agent.jar",
                "-agentlib:jdwp=transport=dt_socket",
                "-agentpath:/lib/agent.so",
                "--add-modules",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--enable-native-access=ALL-UNNAMED",
                "--limit-modules",
                "-p",
                "-Xbootclasspath/a:more.jar",
                "-Djava.system.class.loader=Mine",
                "-XX:StartFlightRecording:filename=x.jfr",
                "-XX:MaxRAMPercentage=75",
                "-XX:Flags=file"
            })
    void shouldStandAsideForOptionsWithWhichAVirtualMachineRefusesTheCache(String option) {
        assertThat(shape(option)).isNull();
        assertThat(MachineShape.of(List.of(), List.of(option), 2)).isNull();
    }

    @Test
    void shouldStandAsideForVariablesThatChooseCollectorOrLayout() {
        for (String option : List.of("-XX:+UseSerialGC", "-XX:-UseCompressedOops", "-Xmx64g")) {
            assertThat(MachineShape.of(List.of(), List.of(option), 2))
                    .as(option)
                    .isNull();
        }
    }

    private static MachineShape shape(String... options) {
        return MachineShape.of(List.of(options), List.of(), 2);
    }
}
