package org.ulfmj.sim;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** A schedule follows from its seed: no real time, no input from outside, no chance but the seed's. */
class PurityTest {
    private static final JavaClasses MODULE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("org.ulfmj.sim");

    @Test
    void shouldUseNoRealTimeAndNoThreadWithinASchedule() {
        noClasses()
                .that()
                .haveNameNotMatching(".*\\.(SeedRun|SeedThreads|Stopwatch)(\\$.*)?")
                .should()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Thread.class)
                .check(MODULE);
    }

    @Test
    void shouldDrawNoChanceButTheSeedsAndIterateNothingUnordered() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .haveNameMatching("java\\.util\\.(.*Random|HashMap|HashSet|WeakHashMap|UUID)")
                .orShould()
                .callMethod(Math.class, "random")
                .orShould()
                .callMethod(System.class, "identityHashCode", Object.class)
                .check(MODULE);
    }

    @Test
    void shouldTouchNoSocketAndNoFileButTheSourcesOfMutants() {
        noClasses()
                .that()
                .resideOutsideOfPackage("org.ulfmj.sim.mutant")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.net..", "java.nio.channels..", "java.nio.file..")
                .check(MODULE);
    }

    @Test
    void shouldKnowNoProtocol() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("java..", "javax.tools..", "org.ulfmj.sim..", "org.ulfmj.protocol..")
                .check(MODULE);
    }
}
