package org.ulfmj.benchmarks.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ulfmj.benchmarks.StandIn;

final class SingleCopyTest {
    @TempDir
    Path folder;

    @Test
    void shouldReadTheParameterOfOpenMpi4() {
        assertThat(SingleCopy.mechanism("mca:btl:vader:param:btl_vader_eager_limit:value:4096\n"
                        + "mca:btl:vader:param:btl_vader_single_copy_mechanism:value:cma\n"
                        + "mca:btl:vader:param:btl_vader_single_copy_mechanism:source:default\n"))
                .isEqualTo("cma");
        assertThat(SingleCopy.mechanism("mca:btl:vader:param:btl_vader_single_copy_mechanism:value:\"none\"\n"))
                .isEqualTo("none");
    }

    @Test
    void shouldReadTheComponentsOfOpenMpi5() {
        assertThat(SingleCopy.mechanism("mca:smsc:xpmem:version:\"mca:2.1.0\"\nmca:smsc:cma:version:\"mca:2.1.0\"\n"
                        + "mca:smsc:cma:version:\"api:1.0.0\"\n"))
                .isEqualTo("cma or xpmem");
    }

    @Test
    void shouldSayWhenItIsNotKnown() throws Exception {
        assertThat(SingleCopy.mechanism("mca:btl:tcp:version:1\n")).startsWith("unknown");
        assertThat(SingleCopy.of(folder.resolve("bin/mpirun"))).startsWith("unknown, no " + folder);
    }

    @Test
    void shouldAskTheCommandBesideTheLauncher() throws Exception {
        StandIn openMpi = new StandIn(folder);
        openMpi.script("ompi_info", "echo mca:smsc:cma:version:1");
        assertThat(SingleCopy.of(folder.resolve("bin/mpirun")))
                .startsWith("cma")
                .doesNotContain(Machine.BETWEEN);
    }
}
