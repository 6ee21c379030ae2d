package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ulfmj.testkit.Programs.awaitFailed;
import static org.ulfmj.testkit.Programs.dieIf;
import static org.ulfmj.testkit.Programs.raises;
import static org.ulfmj.testkit.Programs.survivorsSucceed;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import mpi.AttributeCopy;
import mpi.AttributeDelete;
import mpi.Comm;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import org.junit.jupiter.api.Test;

/** Tests values that programs keep with communicators and datatypes. */
class AttributesTest {
    private static final IllegalStateException THROWN = new IllegalStateException("of the program");

    @Test
    void shouldKeepValuesByReferenceAndApart() {
        Worlds.run(2, (world, rank) -> {
            int key = Comm.createKeyval();
            int other = Comm.createKeyval();
            Object value = new Object();
            Intracomm dup = world.dup();
            assertThat(other).isNotEqualTo(key);
            assertThat(dup.getAttr(key)).isNull();
            dup.setAttr(key, value);
            assertThat(dup.getAttr(key)).isSameAs(value);
            assertThat(dup.getAttr(other)).isNull();
            assertThat(world.getAttr(key)).isNull();
            dup.setAttr(key, "another");
            assertThat(dup.getAttr(key)).isEqualTo("another");
            dup.deleteAttr(key);
            assertThat(dup.getAttr(key)).isNull();
            assertThat(raises(MPI.ERR_KEYVAL, () -> dup.deleteAttr(key))).hasMessageContaining("has no value");
        });
    }

    @Test
    void shouldHandValuesDownToDuplicatesOnly() {
        Worlds.run(2, (world, rank) -> {
            int key = Comm.createKeyval();
            Object value = new Object();
            Intracomm parent = world.dup();
            parent.setAttr(key, value);
            Intracomm later = parent.iDup();
            parent.setAttr(key, "changed");
            later.getRequest().waitFor();
            assertThat(later.getAttr(key)).isSameAs(value);
            assertThat(parent.dup().getAttr(key)).isEqualTo("changed");
            assertThat(parent.clone().getAttr(key)).isEqualTo("changed");
            assertThat(parent.dupWithInfo(MPI.INFO_NULL).getAttr(key)).isEqualTo("changed");
            assertThat(parent.split(0, 0).getAttr(key)).isNull();
            assertThat(parent.shrink().getAttr(key)).isNull();
        });
    }

    @Test
    void shouldCopyAndDeleteAsTheFunctionsSay() {
        Worlds.run(2, (world, rank) -> {
            List<String> calls = new ArrayList<>();
            Intracomm comm = world.dup();
            Thread caller = Thread.currentThread();
            AttributeCopy<Comm> increases = (from, key, value) -> {
                assertThat(from).isSameAs(comm);
                assertThat(Thread.currentThread()).isSameAs(caller);
                calls.add("copy " + value);
                return (Integer) value + 1;
            };
            AttributeDelete<Comm> notes = (from, key, value) -> calls.add("delete " + value);
            int counted = Comm.createKeyval(increases, notes);
            int dropped = Comm.createKeyval((from, key, value) -> null, notes);
            comm.setAttr(counted, 10);
            comm.setAttr(dropped, 20);
            Intracomm dup = comm.dup();
            assertThat(dup.getAttr(counted)).isEqualTo(11);
            assertThat(dup.getAttr(dropped)).isNull();
            assertThat(calls).containsExactly("copy 10");
            calls.clear();
            comm.setAttr(counted, 12);
            comm.setAttr(dropped, 22);
            assertThat(calls).containsExactly("delete 10", "delete 20");
            calls.clear();
            comm.free();
            dup.free();
            assertThat(calls).as("newest first").containsExactly("delete 22", "delete 12", "delete 11");
        });
    }

    @Test
    void shouldLetFunctionsCallMpi() {
        Worlds.run(2, (world, rank) -> {
            int key = Comm.createKeyval(
                    (from, number, value) -> {
                        int[] sum = {1};
                        from.allReduce(sum, 1, MPI.INT, MPI.SUM);
                        return sum[0];
                    },
                    (from, number, value) -> from.barrier());
            Intracomm comm = world.dup();
            comm.setAttr(key, 0);
            Intracomm dup = comm.dup();
            assertThat(dup.getAttr(key)).isEqualTo(2);
            dup.free();
            comm.free();
        });
    }

    @Test
    void shouldNotDuplicateWhenAFunctionThrows() {
        Worlds.run(2, (world, rank) -> {
            List<Object> deleted = new ArrayList<>();
            AtomicBoolean throwsNow = new AtomicBoolean(true);
            int first = Comm.createKeyval((from, key, value) -> "copy", (from, key, value) -> deleted.add(value));
            int second = Comm.createKeyval(
                    (from, key, value) -> {
                        if (throwsNow.get()) {
                            throw THROWN;
                        }
                        return value;
                    },
                    (from, key, value) -> {});
            Intracomm comm = world.dup();
            comm.setAttr(first, "original");
            comm.setAttr(second, "x");
            if (rank == 0) {
                // Only rank 0 makes these calls, which fail. None of them may count as a collective call, because then
                // the next dup would not match that of the other ranks.
                assertThatThrownBy(comm::dup).isSameAs(THROWN);
                assertThatThrownBy(comm::iDup).isSameAs(THROWN);
                assertThatThrownBy(() -> comm.dupWithInfo(MPI.INFO_NULL)).isSameAs(THROWN);
                assertThat(deleted).containsExactly("copy", "copy", "copy");
            }
            throwsNow.set(false);
            Intracomm dup = comm.dup();
            int[] sum = {rank + 1};
            dup.allReduce(sum, 1, MPI.INT, MPI.SUM);
            assertThat(sum).containsExactly(3);
            assertThat(comm.getAttr(first)).isEqualTo("original");
        });
    }

    @Test
    void shouldDeleteTheCopiesOfADuplicateThatFailed() {
        Meeting made = new Meeting(2);
        survivorsSucceed(2, rank -> {
            List<Object> deleted = new ArrayList<>();
            int key = Comm.createKeyval((from, number, value) -> "copy", (from, number, value) -> deleted.add(value));
            Intracomm comm = MPI.COMM_WORLD.dup();
            comm.setAttr(key, "original");
            made.attend();
            dieIf(rank == 1);
            awaitFailed(comm, 1);
            raises(MPI.ERR_PROC_FAILED, comm::dup);
            assertThat(deleted).containsExactly("copy");
            raises(MPI.ERR_PROC_FAILED, comm.iDup().getRequest()::waitFor);
            assertThat(deleted).containsExactly("copy", "copy");
            comm.revoke();
            assertThat(comm.getAttr(key)).isEqualTo("original");
            comm.setAttr(key, "new");
            comm.deleteAttr(key);
            assertThat(deleted).containsExactly("copy", "copy", "original", "new");
            comm.setAttr(key, "last");
            comm.free();
            assertThat(deleted).endsWith("last");
        });
    }

    @Test
    void shouldKeepTheObjectWhenADeleteThrows() {
        Worlds.run(2, (world, rank) -> {
            AtomicBoolean throwsNow = new AtomicBoolean(true);
            int key = Comm.createKeyval((from, number, value) -> value, (from, number, value) -> {
                if (throwsNow.get()) {
                    throw THROWN;
                }
            });
            Intracomm comm = world.dup();
            comm.setAttr(key, "kept");
            assertThatThrownBy(() -> comm.deleteAttr(key)).isSameAs(THROWN);
            assertThatThrownBy(() -> comm.setAttr(key, "new")).isSameAs(THROWN);
            assertThatThrownBy(comm::free).isSameAs(THROWN);
            assertThat(comm.isNull()).isFalse();
            assertThat(comm.getAttr(key)).isEqualTo("kept");
            comm.barrier();
            throwsNow.set(false);
            comm.free();
            assertThat(comm.isNull()).isTrue();
        });
    }

    @Test
    void shouldDeleteWhatSelfHasBeforeFinalize() {
        List<Object> deleted = new ArrayList<>();
        AtomicBoolean throwsNow = new AtomicBoolean(true);
        LocalWorld.run(1, () -> {
                    MPI.Init(new String[0]);
                    int key = Comm.createKeyval((from, number, value) -> value, (from, number, value) -> {
                        if (throwsNow.get()) {
                            throw THROWN;
                        }
                        assertThat(MPI.isFinalized()).isFalse();
                        deleted.add(value);
                    });
                    int later = Comm.createKeyval((from, number, value) -> value, (from, number, value) -> {
                        deleted.add(value);
                    });
                    MPI.COMM_SELF.setAttr(key, "first");
                    MPI.COMM_SELF.setAttr(later, "second");
                    MPI.COMM_WORLD.setAttr(later, "of the world");
                    assertThatThrownBy(MPI::Finalize).isSameAs(THROWN);
                    assertThat(MPI.isFinalized()).isFalse();
                    throwsNow.set(false);
                    MPI.Finalize();
                })
                .requireSurvivorsSucceeded();
        assertThat(deleted).containsExactly("second", "first");
    }

    @Test
    void shouldGoOnWithValuesOfAKeyThatWasFreed() {
        Worlds.run(1, (world, rank) -> {
            List<Object> deleted = new ArrayList<>();
            int key = Comm.createKeyval((from, number, value) -> value, (from, number, value) -> deleted.add(value));
            Intracomm comm = world.dup();
            comm.setAttr(key, "kept");
            Comm.freeKeyval(key);
            assertThat(comm.getAttr(key)).isEqualTo("kept");
            Intracomm dup = comm.dup();
            raises(MPI.ERR_KEYVAL, () -> comm.setAttr(key, "new"));
            raises(MPI.ERR_KEYVAL, () -> world.getAttr(key));
            raises(MPI.ERR_KEYVAL, () -> Comm.freeKeyval(key));
            comm.deleteAttr(key);
            raises(MPI.ERR_KEYVAL, () -> comm.getAttr(key));
            dup.free();
            assertThat(deleted).containsExactly("kept", "kept");
            assertThat(Comm.createKeyval()).as("numbers are not used again").isNotEqualTo(key);
        });
    }

    @Test
    void shouldHavePredefinedValuesInTheWorldAndItsDuplicates() {
        Worlds.run(3, (world, rank) -> {
            Intracomm dup = world.dup();
            for (Comm comm : new Comm[] {MPI.COMM_WORLD, dup, dup.dup()}) {
                assertThat(comm.getAttr(MPI.TAG_UB)).isEqualTo(Integer.MAX_VALUE);
                assertThat(comm.getAttr(MPI.HOST)).isEqualTo(MPI.PROC_NULL);
                assertThat(comm.getAttr(MPI.IO)).isEqualTo(MPI.ANY_SOURCE);
                assertThat(comm.getAttr(MPI.WTIME_IS_GLOBAL)).isEqualTo(false);
                assertThat(comm.getAttr(MPI.APPNUM)).isEqualTo(0);
                assertThat(comm.getAttr(MPI.LASTUSEDCODE)).isEqualTo(MPI.ERR_LASTCODE);
                assertThat(comm.getAttr(MPI.UNIVERSE_SIZE)).isEqualTo(3);
            }
            assertThat(MPI.COMM_SELF.getAttr(MPI.TAG_UB)).isNull();
            assertThat(world.split(0, 0).getAttr(MPI.UNIVERSE_SIZE)).isNull();
            assertThat(raises(MPI.ERR_KEYVAL, () -> world.setAttr(MPI.TAG_UB, 5)))
                    .hasMessageContaining("keyval is 0, which is predefined; allowed: what Comm.createKeyval returned");
            raises(MPI.ERR_KEYVAL, () -> world.deleteAttr(MPI.UNIVERSE_SIZE));
            raises(MPI.ERR_KEYVAL, () -> Comm.freeKeyval(MPI.HOST));
            world.send(new int[0], 0, MPI.INT, rank, (Integer) world.getAttr(MPI.TAG_UB));
            world.recv(new int[0], 0, MPI.INT, rank, Integer.MAX_VALUE);
        });
    }

    @Test
    void shouldKeepValuesWithDatatypesAtEachRank() {
        Worlds.run(2, (world, rank) -> {
            List<Object> deleted = new ArrayList<>();
            int key = Datatype.createKeyval((type, number, value) -> value, (type, number, value) -> {
                assertThat(type).isSameAs(MPI.INT);
                deleted.add(value);
            });
            int plain = Datatype.createKeyval();
            assertThat(MPI.INT.getAttr(key)).isNull();
            MPI.INT.setAttr(key, "of rank " + rank);
            MPI.INT.setAttr(plain, this);
            world.barrier();
            assertThat(MPI.INT.getAttr(key)).isEqualTo("of rank " + rank);
            assertThat(MPI.INT.getAttr(plain)).isSameAs(this);
            assertThat(MPI.LONG.getAttr(key)).isNull();
            MPI.INT.setAttr(key, "new");
            MPI.INT.deleteAttr(key);
            assertThat(deleted).containsExactly("of rank " + rank, "new");
            assertThat(MPI.INT.getAttr(key)).isNull();
            raises(MPI.ERR_KEYVAL, () -> MPI.INT.deleteAttr(key));
            Datatype.freeKeyval(plain);
            assertThat(MPI.INT.getAttr(plain)).isSameAs(this);
            assertThat(raises(MPI.ERR_KEYVAL, () -> MPI.INT.setAttr(plain, 1)))
                    .hasMessageContaining(
                            "Datatype.setAttr: keyval is " + plain + "; allowed: what Datatype.createKeyval");
            raises(MPI.ERR_TYPE, () -> MPI.DATATYPE_NULL.setAttr(key, 1));
            raises(MPI.ERR_TYPE, () -> MPI.DATATYPE_NULL.getAttr(key));
        });
    }

    @Test
    void shouldCopyAndDeleteValuesOfDerivedDatatypes() {
        Worlds.run(2, (world, rank) -> {
            List<Object> deleted = new ArrayList<>();
            AtomicBoolean throwsNow = new AtomicBoolean(true);
            int key = Datatype.createKeyval((type, number, value) -> value + "'", (type, number, value) -> {
                if (throwsNow.get()) {
                    throw THROWN;
                }
                deleted.add(value);
            });
            Datatype pair = Datatype.createContiguous(2, MPI.INT);
            pair.setAttr(key, "a");
            Datatype dup = pair.dup();
            Datatype clone = dup.clone();
            assertThat(dup.getAttr(key)).isEqualTo("a'");
            assertThat(clone.getAttr(key)).isEqualTo("a''");
            assertThatThrownBy(pair::free).isSameAs(THROWN);
            assertThat(pair.isNull()).isFalse();
            throwsNow.set(false);
            pair.free();
            assertThat(pair.isNull()).isTrue();
            assertThat(deleted).containsExactly("a");
            raises(MPI.ERR_TYPE, () -> pair.getAttr(key));
            raises(MPI.ERR_TYPE, () -> pair.setAttr(key, 1));
            dup.free();
            clone.free();
            assertThat(deleted).containsExactly("a", "a'", "a''");
        });
    }

    @Test
    void shouldRefuseKeysOfAnotherKindAndNullFunctions() {
        Worlds.run(1, (world, rank) -> {
            int ofTypes = Datatype.createKeyval();
            int ofComms = Comm.createKeyval();
            raises(MPI.ERR_KEYVAL, () -> world.setAttr(ofTypes, 1));
            raises(MPI.ERR_KEYVAL, () -> world.getAttr(ofTypes));
            raises(MPI.ERR_KEYVAL, () -> MPI.INT.setAttr(ofComms, 1));
            raises(MPI.ERR_KEYVAL, () -> MPI.INT.getAttr(ofComms));
            raises(MPI.ERR_KEYVAL, () -> Comm.freeKeyval(ofTypes));
            raises(MPI.ERR_KEYVAL, () -> Datatype.freeKeyval(ofComms));
            raises(MPI.ERR_KEYVAL, () -> world.getAttr(MPI.KEYVAL_INVALID));
            assertThat(raises(MPI.ERR_ARG, () -> Comm.createKeyval(null, (from, key, value) -> {})))
                    .hasMessageContaining("Comm.createKeyval: copy is null");
            assertThat(raises(MPI.ERR_ARG, () -> Datatype.createKeyval((from, key, value) -> value, null)))
                    .hasMessageContaining("Datatype.createKeyval: delete is null");
        });
    }
}
