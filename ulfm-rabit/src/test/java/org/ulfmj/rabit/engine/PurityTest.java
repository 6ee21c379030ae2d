package org.ulfmj.rabit.engine;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** All ranks must draw the same conclusions from the same records. */
class PurityTest {
    private static final JavaClasses ENGINE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("org.ulfmj.rabit.engine");

    @Test
    void shouldDependOnNothingButProtocol() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "org.ulfmj.rabit.engine", "org.ulfmj.protocol", "java.lang..", "java.util..", "java.nio")
                .check(ENGINE);
    }

    @Test
    void shouldNotReadAClockOrStartAThread() {
        noClasses()
                .should()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Thread.class)
                .orShould()
                .dependOnClassesThat()
                .resideInAPackage("java.util.concurrent..")
                .check(ENGINE);
    }

    @Test
    void shouldNotDrawRandomnessOrIterateUnorderedCollections() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .haveNameMatching("java\\.util\\.(.*Random|HashMap|HashSet|IdentityHashMap|WeakHashMap|UUID)")
                .orShould()
                .callMethod(Math.class, "random")
                .check(ENGINE);
    }
}
