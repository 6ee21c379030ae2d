package org.ulfmj.runtime;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/**
 * Tests which packages of this module use which: only {@code process} uses the engine's package, no other package uses
 * {@code process}, and packages use each other without cycles.
 */
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

    @Test
    void shouldHaveNoCircleOfRooms() {
        slices().matching(ENGINE + ".(*)..").should().beFreeOfCycles().check(MODULE);
    }
}
