package org.ulfmj.transport;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Random;
import java.util.WeakHashMap;
import org.junit.jupiter.api.Test;

/** What the parts of the transport may reach: sessions and the handshake nothing, nobody what needs flags. */
class PurityTest {
    private static final JavaClasses MODULE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("org.ulfmj.transport");

    @Test
    void shouldKeepSessionsPure() {
        noClasses()
                .that()
                .resideInAPackage("org.ulfmj.transport.session")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "java.io..",
                        "java.net..",
                        "java.nio.channels..",
                        "java.nio.file..",
                        "java.time..",
                        "java.util.concurrent..",
                        "java.security..")
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Thread.class)
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Random.class)
                .orShould()
                .dependOnClassesThat()
                .belongToAnyOf(HashMap.class, HashSet.class, IdentityHashMap.class, WeakHashMap.class)
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .check(MODULE);
    }

    @Test
    void shouldKeepTheHandshakePure() {
        noClasses()
                .that()
                .haveSimpleNameEndingWith("Handshake")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.io..", "java.net..", "java.nio.channels..", "java.nio.file..", "java.time..")
                .orShould()
                .dependOnClassesThat()
                .haveSimpleName("RandomBytes")
                .check(MODULE);
    }

    @Test
    void shouldKnowNothingOfFailuresAndCommunicators() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.ulfmj.detector..", "org.ulfmj.agree..", "org.ulfmj.runtime..", "mpi..")
                .check(MODULE);
    }

    /** The other queues of JCTools reach for what warns on later JDKs. */
    @Test
    void shouldUseOnlyQueuesBuiltOnVarHandles() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.jctools.queues", "org.jctools.queues.atomic..", "org.jctools.util..")
                .check(MODULE);
    }

    @Test
    void shouldNotSerializeByTheLanguage() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(ObjectInputStream.class, ObjectOutputStream.class)
                .check(MODULE);
    }
}
