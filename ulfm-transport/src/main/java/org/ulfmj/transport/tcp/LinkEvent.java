package org.ulfmj.transport.tcp;

import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.FrameSink;

/** An event of a link that a poll, the running one or a later one, reports to its sink. */
enum LinkEvent {
    /** A peer without a link was drained: there was nothing to read. */
    DRAINED {
        @Override
        void tell(FrameSink sink, ProcessId peer) {
            sink.onDrained(peer);
        }
    },
    LOST {
        @Override
        void tell(FrameSink sink, ProcessId peer) {
            sink.onLinkBroken(peer);
        }
    },
    RESTORED {
        @Override
        void tell(FrameSink sink, ProcessId peer) {
            sink.onLinkRestored(peer);
        }
    },
    EXCLUDED {
        @Override
        void tell(FrameSink sink, ProcessId peer) {
            sink.onExcluded(peer);
        }
    },
    NOT_ME {
        @Override
        void tell(FrameSink sink, ProcessId peer) {
            sink.onNotMe(peer);
        }
    };

    abstract void tell(FrameSink sink, ProcessId peer);

    /** An event together with its peer. */
    record Posted(LinkEvent event, ProcessId peer) {}
}
