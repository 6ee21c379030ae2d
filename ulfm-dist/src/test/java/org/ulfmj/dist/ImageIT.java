package org.ulfmj.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the Dockerfile and the image that it makes of the release's tar.gz. */
class ImageIT {
    private static final Duration BUILD = Duration.ofMinutes(10);
    private static final Duration RUN = Duration.ofMinutes(2);

    @Test
    void shouldCopyFilesThatAreThere() throws Exception {
        String text = dockerfile();
        String version = Pom.of("").text("version");
        assertThat(text)
                .contains("\nARG VERSION=" + version + "\n")
                .contains("docker build -t ulfm:" + version + " .\n");
        List<String> copied = Pattern.compile("(?m)^(?:ADD|COPY) (\\S+) ")
                .matcher(text)
                .results()
                .map(found -> found.group(1).replace("${VERSION}", version))
                .toList();
        assertThat(copied).isNotEmpty().allMatch(file -> Files.isRegularFile(Pom.HOME.resolve(file)));
        // The file .dockerignore excludes everything except the tar.gz that the Dockerfile copies.
        assertThat(Files.readAllLines(Pom.HOME.resolve(".dockerignore")))
                .isEqualTo(List.of("*", "!" + copied.get(0).replace("-" + version + ".tar", "-*.tar")));
        assertThat(copied).hasSize(1);
    }

    @Test
    void shouldUseFilesThatAreInTheTarGz(@TempDir Path directory) throws Exception {
        Path home = Release.unpackInto(directory);
        List<String> used = Pattern.compile("/opt/ulfm/([\\w./-]*)")
                .matcher(dockerfile())
                .results()
                .map(found -> found.group(1))
                .toList();
        assertThat(used).isNotEmpty().allMatch(file -> Files.exists(home.resolve(file)));
    }

    @Test
    @Tag("release")
    void shouldRunMpiexec() throws Exception {
        assumeTrue(hasDocker(), "there is no docker here that can build (docker info)");
        String image = "ulfm:of-a-test";
        Ran built = docker(BUILD, "build", "-q", "-t", image, ".");
        assertThat(built.exitCode()).as(built.toString()).isZero();
        Ran ran = docker(RUN, "run", "--rm", image, "mpiexec", "-n", "4", "examples", "Digits");
        assertThat(ran.exitCode()).as(ran.toString()).isZero();
        assertThat(ran.lines()).last().asString().startsWith("finished   300 iterations on 4 ranks");
    }

    private static boolean hasDocker() throws InterruptedException {
        try {
            return docker(RUN, "info").exitCode() == 0;
        } catch (IOException notInstalled) {
            return false;
        }
    }

    private static Ran docker(Duration limit, String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("docker"));
        command.addAll(List.of(words));
        return Ran.in(Pom.HOME, limit, Map.of(), command);
    }

    private static String dockerfile() throws IOException {
        return Files.readString(Pom.HOME.resolve("Dockerfile"));
    }
}
