package org.ulfmj.runtime.options;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class OptionsPageTest {
    @Test
    void shouldBeWhatTheDocumentationHolds() throws IOException {
        Path generated = Files.writeString(Path.of("target", "options.md"), OptionsPage.text());
        assertThat(Path.of("..", "docs", "use", "options.md"))
                .as("docs/use/options.md is generated; copy ulfm-runtime/target/options.md over it")
                .hasSameTextualContentAs(generated);
    }
}
