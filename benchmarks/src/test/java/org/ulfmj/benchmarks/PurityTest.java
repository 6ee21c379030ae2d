package org.ulfmj.benchmarks;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Tests what classes which are to depend on their inputs alone may not use: of clocks, {@link Thread}, sockets, files,
 * randomness and collections without an order. They are the protocols, and the simulations and reproduced results,
 * which must follow from a seed. More is forbidden to the protocols than to the others, and classes named below are
 * exempt. Also tests which packages may not use which, and that no class uses Java serialization or certain queues.
 */
class PurityTest {
    private static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("org.ulfmj");

    /** The classes of the package {@code mpi}, which programs import. */
    private static final JavaClasses PROGRAMS = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("mpi");

    private static final String ENDS_OF_CONNECTIONS =
            "Caller|JoinRequest|SpareRequest|RendezvousClient|ControlLine|ClientConnection|RendezvousServer|ServerConnections?"
                    + "|MessageChannel|RecordsDemandedException|SpareWait|Door|StoreHost|StoreSocket|Whereabouts";

    private static final DescribedPredicate<JavaClass> PROTOCOLS = resideInAnyPackage(
                    "org.ulfmj.protocol..",
                    "org.ulfmj.detector..",
                    "org.ulfmj.agree..",
                    "org.ulfmj.rabit.engine..",
                    "org.ulfmj.rendezvous..",
                    "org.ulfmj.transport.session..")
            .and(DescribedPredicate.not(nameMatching(
                    "org\\.ulfmj\\.rendezvous\\.(client|message|server)\\.(" + ENDS_OF_CONNECTIONS + ")(\\$.*)?")))
            .and(DescribedPredicate.not(
                    resideInAnyPackage("org.ulfmj.rendezvous.embed..", "org.ulfmj.rendezvous.etcd..")))
            .as("protocols");

    private static final DescribedPredicate<JavaClass> SCHEDULES = resideInAnyPackage(
                    "org.ulfmj.sim..", "org.ulfmj.check..", "org.ulfmj.benchmarks.reproduce..")
            .and(DescribedPredicate.not(nameMatching("org\\.ulfmj\\.sim\\.(SeedRun|SeedThreads|Stopwatch)(\\$.*)?")))
            .and(DescribedPredicate.not(resideInAnyPackage("org.ulfmj.sim.fuzz"))) // parsers are watched in real time
            .as("simulated schedules");

    @Test
    void shouldReadNoClockAndStartNoThread() {
        check(noClasses()
                .that(PROTOCOLS.or(SCHEDULES))
                .should()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Thread.class));
        check(noClasses()
                .that(PROTOCOLS)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.time..", "java.util.concurrent.."));
    }

    @Test
    void shouldOpenNoSocketAndNoFile() {
        check(noClasses()
                .that(PROTOCOLS)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.io..", "java.net..", "java.nio.channels..", "java.nio.file.."));
        check(noClasses()
                .that(SCHEDULES)
                .and()
                .resideOutsideOfPackage("org.ulfmj.sim.mutant") // mutants are compiled from source files
                .and()
                .doNotHaveSimpleName("OutputFiles")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.net..", "java.nio.channels..", "java.nio.file.."));
    }

    @Test
    void shouldDrawNoRandomnessAndIterateNothingUnordered() {
        check(noClasses()
                .that(PROTOCOLS.or(SCHEDULES))
                .should()
                .dependOnClassesThat()
                .haveNameMatching("java\\.util\\.(.*Random|HashMap|HashSet|WeakHashMap|UUID)")
                .orShould()
                .callMethod(Math.class, "random")
                .orShould()
                .callMethod(System.class, "identityHashCode", Object.class));
        check(noClasses()
                .that(PROTOCOLS)
                .should()
                .dependOnClassesThat()
                .haveNameMatching("java\\.util\\.IdentityHashMap|java\\.security\\..*")
                .orShould()
                .callMethodWhere(target(nameMatching("of|ofEntries|copyOf"))
                        .and(target(owner(belongToAnyOf(Set.class, Map.class))))));
    }

    /** Handshake classes of the transport use no connection and draw no bytes, so that a test can choose all bytes. */
    @Test
    void shouldKeepHandshakesPure() {
        check(noClasses()
                .that()
                .haveNameMatching("org\\.ulfmj\\.transport\\..*Handshake")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.io..", "java.net..", "java.nio.channels..", "java.nio.file..", "java.time..")
                .orShould()
                .dependOnClassesThat()
                .haveSimpleName("RandomBytes"));
    }

    @Test
    void shouldKeepModulesApart() {
        check(classes()
                .that()
                .resideInAPackage("org.ulfmj.sim..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "java..", "javax.tools..", "com.sun.management", "org.ulfmj.sim..", "org.ulfmj.protocol.."));
        check(classes()
                .that()
                .resideInAPackage("org.ulfmj.agree..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "java.lang..", "java.util..", "org.ulfmj.agree..", "org.ulfmj.detector", "org.ulfmj.protocol"));
        check(classes()
                .that()
                .resideInAPackage("org.ulfmj.rabit.engine..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "java.lang..", "java.util..", "java.nio", "org.ulfmj.rabit.engine", "org.ulfmj.protocol"));
        check(noClasses()
                .that()
                .resideInAPackage("org.ulfmj.transport..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.ulfmj.detector..", "org.ulfmj.agree..", "org.ulfmj.runtime..", "mpi.."));
    }

    /**
     * Of JCTools only the queues that are built on VarHandles are used: those of {@code org.jctools.queues} use JDK
     * internals that make later JDKs print a warning.
     */
    @Test
    void shouldUseOnlyQueuesBuiltOnVarHandles() {
        check(noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.jctools.queues", "org.jctools.queues.atomic..", "org.jctools.util.."));
    }

    /**
     * Java serialization is not used: data of a peer, a file or a user could otherwise name the classes of the objects
     * made from it.
     */
    @Test
    void shouldNotSerializeByTheLanguage() {
        for (JavaClasses classes : List.of(ALL, PROGRAMS)) {
            check(
                    classes,
                    noClasses()
                            .should()
                            .dependOnClassesThat()
                            .areAssignableTo(ObjectInput.class)
                            .orShould()
                            .dependOnClassesThat()
                            .areAssignableTo(ObjectOutput.class)
                            .orShould()
                            .dependOnClassesThat()
                            .resideInAnyPackage("java.rmi..", "javax.management..", "java.beans.."));
        }
    }

    private static void check(ArchRule rule) {
        check(ALL, rule);
    }

    private static void check(JavaClasses classes, ArchRule rule) {
        rule.check(classes);
    }
}
