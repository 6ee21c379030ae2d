package org.ulfmj.launch.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ulfmj.command.UsageException;

class JavaArgumentsTest {
    @TempDir
    Path directory;

    /**
     * As with java itself, a word {@code @file} inside an argument file is not replaced. Otherwise a file that names
     * itself would never end.
     */
    @Test
    void shouldReadNoArgumentFileThatAnArgumentFileNames() throws IOException {
        Path file = directory.resolve("arguments");
        Files.writeString(file, "-Xint @" + file + " Main 7");

        JavaArguments read = JavaArguments.parse(List.of("@" + file, "8"), directory);

        assertThat(read.options()).containsExactly("-Xint");
        assertThat(read.program()).isEqualTo("@" + file);
        assertThat(read.arguments()).containsExactly("Main", "7", "8");
    }

    @Test
    void shouldTakeApartOptionsProgramAndArguments() {
        JavaArguments arguments = parse("-Xmx1g -cp a:b -Dx=1 -Dy -ea Main -cp not-ours");
        assertThat(arguments.options()).containsExactly("-Xmx1g", "-Dx=1", "-Dy", "-ea");
        assertThat(arguments.classPath()).isEqualTo("a:b");
        assertThat(arguments.form()).isEqualTo(JavaArguments.Form.MAIN_CLASS);
        assertThat(arguments.program()).isEqualTo("Main");
        assertThat(arguments.arguments()).containsExactly("-cp", "not-ours");
        assertThat(arguments.systemProperties()).isEqualTo(Map.of("x", "1", "y", ""));
    }

    @Test
    void shouldKnowWhichOptionsHaveAValueOfTheirOwn() {
        JavaArguments arguments = parse("--add-modules jdk.jfr --add-opens=java.base/java.nio=ALL-UNNAMED Main x");
        assertThat(arguments.options())
                .containsExactly("--add-modules", "jdk.jfr", "--add-opens=java.base/java.nio=ALL-UNNAMED");
        assertThat(arguments.program()).isEqualTo("Main");
    }

    @Test
    void shouldKnowTheFormsInWhichAProgramIsNamed() {
        assertThat(parse("-jar app.jar x").form()).isEqualTo(JavaArguments.Form.JAR);
        assertThat(parse("-jar app.jar x").program()).isEqualTo("app.jar");
        assertThat(parse("-p mods -m app/app.Main x").form()).isEqualTo(JavaArguments.Form.MODULE);
        assertThat(parse("--module=app/app.Main x").program()).isEqualTo("app/app.Main");
        assertThat(parse("--module=app/app.Main x").arguments()).containsExactly("x");
        assertThat(parse("Prog.java x").form()).isEqualTo(JavaArguments.Form.SOURCE_FILE);
        assertThat(parse("-version").form()).isEqualTo(JavaArguments.Form.NONE);
        assertThat(parse("--class-path=a --module-path=b Main").classPath()).isEqualTo("a");
        assertThat(parse("--class-path=a --module-path=b Main").modulePath()).isEqualTo("b");
    }

    @Test
    void shouldReadArgumentFilesInTheirPlaceAndNoFurtherThanTheProgram() throws IOException {
        Files.writeString(directory.resolve("args"), "-cp \"a b:c\" # class path\n-Dx='1 2'\n");
        JavaArguments arguments = parse("-ea @args Main @args");
        assertThat(arguments.classPath()).isEqualTo("a b:c");
        assertThat(arguments.options()).containsExactly("-ea", "-Dx=1 2");
        assertThat(arguments.arguments()).containsExactly("@args");
    }

    @Test
    void shouldSayWhichArgumentFileIsMissing() {
        assertThatThrownBy(() -> parse("@nowhere Main"))
                .isInstanceOf(UsageException.class)
                .hasMessage(
                        "cannot read argument file " + directory.resolve("nowhere") + ": no such file or directory");
    }

    @Test
    void shouldReadQuotesAndEscapesAsJavaDoes() {
        assertThat(ArgumentFile.words("a\"b c\"d  'it\"s' \"x\\\\y\\t\" '' \"one \\\n   two\" end"))
                .containsExactly("ab cd", "it\"s", "x\\y\t", "", "one two", "end");
    }

    private JavaArguments parse(String words) {
        return JavaArguments.parse(List.of(words.split(" ")), directory);
    }
}
