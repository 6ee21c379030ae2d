package org.ulfmj.runtime;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Which rooms of a rank read which: the engine's reads those around it, and only a process reads the engine's. */
class PackagesTest {
    private static final String ENGINE = "org.ulfmj.runtime";
    private static final String PROCESS = "org.ulfmj.runtime.process";
    private static final JavaClasses MODULE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ENGINE);

    @Test
    void shouldKnowNothingOfTheEngineAroundIt() {
        noClasses()
                .that()
                .resideOutsideOfPackages(ENGINE, PROCESS)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(ENGINE, PROCESS)
                .check(MODULE);
    }

    @Test
    void shouldKnowNothingOfProcessesInTheEngine() {
        noClasses()
                .that()
                .resideInAPackage(ENGINE)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(PROCESS)
                .check(MODULE);
    }

    /** A package of more files holds more than one idea: look for a room that is reached through one or two doors. */
    @Test
    void shouldHaveAtMostThirtyFilesInARoom() {
        Map<String, Integer> files = new TreeMap<>();
        for (JavaClass each : MODULE) {
            if (each.isTopLevelClass()) {
                files.merge(each.getPackageName(), 1, Integer::sum);
            }
        }
        assertThat(files).containsKey(ENGINE).allSatisfy((room, count) -> assertThat(count)
                .as("files of %s", room)
                .isLessThanOrEqualTo(30));
    }

    @Test
    void shouldHaveNoCircleOfRooms() {
        slices().matching(ENGINE + ".(*)..").should().beFreeOfCycles().check(MODULE);
    }
}
