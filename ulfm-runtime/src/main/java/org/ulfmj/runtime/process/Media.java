package org.ulfmj.runtime.process;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.ulfmj.runtime.RankHooks;
import org.ulfmj.runtime.options.FaultTrigger;
import org.ulfmj.runtime.options.LaunchEnvironment;
import org.ulfmj.runtime.options.Options;
import org.ulfmj.transport.ByteTrap;
import org.ulfmj.transport.Fabric;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.TrappedFabric;
import org.ulfmj.transport.process.ProcessFabric;
import org.ulfmj.transport.session.LinkIdentity;
import org.ulfmj.transport.shm.ShmDirectory;
import org.ulfmj.transport.shm.ShmFiles;
import org.ulfmj.transport.tcp.TcpFabric;

/**
 * The media that carry the messages of this process: shared memory to the ranks of its host and TCP to the others, or
 * TCP alone where this process has no shared memory. If TCP replaces shared memory, the first rank that meets the
 * reason says it, once per job directory if it can leave a note there.
 */
final class Media implements Consumer<String> {
    private static final String SAID = "shm.said";
    /**
     * For how many slots an elastic job has room in shared memory, per member that its world may have: each newcomer
     * gets a new slot. Ranks of later slots use TCP.
     */
    private static final int SLOTS_PER_MEMBER = 16;

    private final LaunchEnvironment place;
    private final Options options;
    private final TcpFabric tcp;
    /** The fabric with shared memory; null if this process has none. */
    private final ProcessFabric shared;

    /**
     * Sets up the media. Other processes may be told of this process only afterwards, since they may write to its
     * shared memory at once.
     *
     * @throws IOException if shared memory is required and cannot be had
     */
    Media(LaunchEnvironment place, Options options, MemberRecord me, TcpFabric tcp) throws IOException {
        this.place = place;
        this.options = options;
        this.tcp = tcp;
        this.shared = options.usesSharedMemory() ? open(me) : null;
    }

    private ProcessFabric open(MemberRecord me) throws IOException {
        Path path = ShmDirectory.pathFor(options.shmDirectory(), place.directoryName());
        if (!Files.isDirectory(path)) {
            // The launcher has said why.
            require("there is no directory ".concat(path.toString()));
            return null;
        }
        try {
            ShmDirectory directory = ShmDirectory.open(path);
            ShmFiles files = new ShmFiles(directory, me.id(), me.process(), options.shmMaxBytes());
            LinkIdentity self = new LinkIdentity(me.id(), me.nonce());
            if (!place.isElastic()) {
                return new ProcessFabric(self, place.size(), tcp, files, SystemClock.INSTANCE, this);
            }
            ProcessFabric elastic =
                    new ProcessFabric(self, SLOTS_PER_MEMBER * place.size(), tcp, files, SystemClock.INSTANCE, this);
            elastic.expectLatecomers();
            return elastic;
        } catch (IOException refused) {
            require(refused.getMessage());
            accept("rank " + me.id() + " uses TCP to ranks of its own host: " + refused.getMessage());
            return null;
        }
    }

    private void require(String missing) throws IOException {
        if (options.requiresSharedMemory()) {
            throw new IOException("ulfm.transport is shm, and ".concat(missing));
        }
    }

    /**
     * Returns the fabric of this process.
     *
     * @param triggers one of which may end this process in the middle of what it sends
     * @param hooks are told when the trigger's point is reached
     */
    Fabric fabric(List<FaultTrigger> triggers, RankHooks hooks) {
        for (FaultTrigger trigger : triggers) {
            if (trigger.operation().equals(FaultTrigger.SENT_BYTES)) {
                return endingAt(trigger, hooks);
            }
        }
        return shared == null ? tcp : shared;
    }

    private Fabric endingAt(FaultTrigger trigger, RankHooks hooks) {
        ByteTrap trap = new ByteTrap(trigger.count(), () -> hooks.onFaultPoint(trigger.rule()));
        if (shared != null) {
            return new TrappedFabric(shared, trap);
        }
        tcp.trap(trap);
        return tcp;
    }

    /**
     * Gives the media the records of all processes. Throws if the options require shared memory and a process is out of
     * its reach.
     */
    void connect(List<MemberRecord> table) {
        if (shared == null) {
            tcp.connect(table);
            return;
        }
        shared.connect(table);
        for (MemberRecord member : table) {
            if (options.requiresSharedMemory() && !shared.reaches(member.id())) {
                throw new IllegalArgumentException("ulfm.transport is shm, and rank " + member.id()
                        + " runs on another host (allowed: auto, tcp)");
            }
        }
    }

    /**
     * Throws if the options require shared memory. Else says why TCP is used instead, unless a note in the job
     * directory shows that a rank has said so already.
     */
    @Override
    public void accept(String why) {
        if (options.requiresSharedMemory()) {
            throw new IllegalStateException("ulfm.transport is shm, but ".concat(why));
        }
        try {
            Files.createFile(place.jobDirectory().resolve(SAID));
        } catch (FileAlreadyExistsException saidByAnotherRank) {
            return;
        } catch (IOException unwritable) {
            // If the note cannot be written, the reason may be said twice, which is better than not at all.
        }
        System.err.println(why);
    }
}
