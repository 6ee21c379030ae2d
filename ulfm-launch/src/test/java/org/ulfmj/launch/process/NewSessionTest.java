package org.ulfmj.launch.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NewSessionTest {
    @TempDir
    Path directory;

    @Test
    void shouldLookInTheSearchPathWhereItIsNotInItsUsualPlaces() throws IOException {
        Path setsid = Files.createFile(directory.resolve("setsid"));
        List<String> known = List.of("/no/such/setsid");
        String searchPath = "/no/such:" + directory + ":/bin";
        assertThat(NewSession.prefix(known, null)).isEmpty();
        assertThat(NewSession.prefix(known, "/no/such:" + directory)).isEmpty();
        assertThat(setsid.toFile().setExecutable(true)).isTrue();
        assertThat(NewSession.prefix(known, searchPath)).containsExactly(setsid.toString());
        assertThat(NewSession.prefix(List.of(setsid.toString()), "")).containsExactly(setsid.toString());
    }

    @Test
    void shouldStartNothingFromTheWorkingDirectory() throws IOException {
        Path here = Path.of("setsid");
        Files.createFile(here);
        try {
            assertThat(here.toFile().setExecutable(true)).isTrue();
            List<String> known = List.of("/no/such/setsid");
            assertThat(NewSession.prefix(known, "")).isEmpty();
            assertThat(NewSession.prefix(known, ":/no/such:")).isEmpty();
            assertThat(NewSession.prefix(known, "/no/such::/no/other")).isEmpty();
        } finally {
            Files.delete(here);
        }
    }
}
