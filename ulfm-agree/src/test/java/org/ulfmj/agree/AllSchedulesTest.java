package org.ulfmj.agree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ulfmj.agree.message.Contribution;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;

/**
 * Runs every schedule of a small world with at most one crash and one false suspicion, on the real cores: each order of
 * calls, deliveries, the crash (also between two messages of a step), the suspicion, and of the moments at which each
 * process learns of them. In every state those processes that live, are not excluded and have decided have decided
 * alike; where nothing is left to do, all processes that live and are not excluded have decided. States that look the
 * same are visited once. In a uniform agreement any two processes that have returned, dead ones too, have decided
 * alike, or each holds the other for failed.
 */
class AllSchedulesTest {
    /**
     * One event: its kind, the process where it happens, and the process that it is about. With {@code cut} ≥ 0 the
     * process crashes in this step after that many agreement messages, if the step sends more.
     */
    private record Event(char what, int at, int about, int cut) {}

    private record State(State before, Event event, int crashes, int suspicions) {}

    private int size;
    private Kind kind;
    private int decidedStates;

    @ParameterizedTest
    @CsvSource({
        "AGREE,2,1,1,40",
        "AGREE,3,1,0,500",
        "AGREE,3,0,1,500",
        "AGREE_UNIFORM,2,1,1,60",
        "AGREE_UNIFORM,3,1,0,1000",
        "AGREE_UNIFORM,3,0,1,1000",
        "FINALIZE,2,1,1,40",
        "FINALIZE,3,1,0,500"
    })
    void shouldAgreeInEveryScheduleOfASmallWorld(Kind call, int ranks, int crashes, int suspicions, int atLeast) {
        size = ranks;
        kind = call;
        Set<String> seen = new HashSet<>();
        Deque<State> open = new ArrayDeque<>();
        open.add(new State(null, null, crashes, suspicions));
        seen.add(fingerprint(replay(open.peek())));
        while (!open.isEmpty()) {
            State state = open.poll();
            List<Event> events = possibleEvents(replay(state), state);
            boolean quiet = true;
            for (Event event : events) {
                quiet &= event.what == 'c' || event.what == 's';
                int crashesLeft = state.crashes - (event.what == 'c' || event.cut >= 0 ? 1 : 0);
                int suspicionsLeft = state.suspicions - (event.what == 's' ? 1 : 0);
                State next = new State(state, event, crashesLeft, suspicionsLeft);
                Crowd crowd = replay(next);
                boolean cutHappened = event.cut < 0 || !crowd.member(event.at).up;
                if (cutHappened && seen.add(fingerprint(crowd) + crashesLeft + suspicionsLeft)) {
                    checkAlike(crowd, next);
                    checkUniform(crowd, next);
                    open.add(next);
                }
            }
            if (quiet) {
                checkAllDecided(replay(state), state);
            }
        }
        assertThat(seen).hasSizeGreaterThan(atLeast);
        assertThat(decidedStates).isPositive();
    }

    private List<Event> possibleEvents(Crowd crowd, State state) {
        List<Event> events = new ArrayList<>();
        for (Crowd.Member member : crowd.members) {
            if (!member.isLive()) {
                continue;
            }
            int at = member.id.slot();
            if (member.core.agreements().last(Crowd.COMM) == 0) {
                add(events, new Event('e', at, at, -1), state);
            }
            for (Crowd.Member other : crowd.members) {
                int about = other.id.slot();
                boolean known = member.core.failures().isGone(other.id);
                if (!crowd.channel(about, at).isEmpty()) {
                    add(events, new Event('d', at, about, -1), state);
                }
                if (member.toDrain.contains(other.id) && !known) {
                    add(events, new Event('r', at, about, -1), state);
                } else if (!other.isLive() && !known && !member.core.isLeaving()) {
                    add(events, new Event('l', at, about, -1), state);
                }
                if (state.suspicions > 0 && other != member && other.isLive() && !known && !member.core.isLeaving()) {
                    add(events, new Event('s', at, about, -1), state);
                }
            }
            if (state.crashes > 0) {
                events.add(new Event('c', at, at, -1));
            }
        }
        return events;
    }

    private void add(List<Event> events, Event event, State state) {
        events.add(event);
        for (int cut = 0; state.crashes > 0 && cut < size; cut++) {
            events.add(new Event(event.what, event.at, event.about, cut));
        }
    }

    private Crowd replay(State state) {
        List<Event> events = new ArrayList<>();
        for (State at = state; at.event != null; at = at.before) {
            events.add(0, at.event);
        }
        Crowd crowd = new Crowd(size);
        for (Event event : events) {
            if (event.cut >= 0) {
                crowd.crashAfterSends(event.at, event.cut);
            }
            apply(crowd, event);
        }
        return crowd;
    }

    private void apply(Crowd crowd, Event event) {
        switch (event.what) {
            case 'e':
                crowd.enter(event.at, new Contribution(kind, ~(1 << event.at), SlotSet.ALL));
                break;
            case 'd':
                crowd.deliver(event.about, event.at);
                break;
            case 'l':
                crowd.tellDeathBeforeDraining(event.at, event.about);
                break;
            case 'r':
                crowd.drained(event.at, event.about);
                break;
            case 's':
                crowd.suspect(event.at, event.about);
                break;
            default:
                crowd.crash(event.at);
        }
    }

    private void checkAlike(Crowd crowd, State state) {
        Decision common = null;
        for (Crowd.Member member : crowd.core()) {
            Decision decision = member.decisions.get(1L);
            if (decision == null) {
                continue;
            }
            decidedStates++;
            common = common == null ? decision : common;
            assertThat(decision).as(() -> steps(state)).isEqualTo(common);
            for (Crowd.Member other : crowd.core()) {
                int bit = 1 << other.id.slot();
                assertThat(decision.flag(kind) & bit).as(() -> steps(state)).isZero();
                assertThat(decision.failed().contains(other.id.slot()))
                        .as(() -> steps(state))
                        .isFalse();
            }
        }
    }

    private void checkUniform(Crowd crowd, State state) {
        for (Crowd.Member one : crowd.members) {
            for (Crowd.Member other : crowd.members) {
                Decision mine = one.decisions.get(1L);
                Decision theirs = other.decisions.get(1L);
                if (kind == Kind.AGREE_UNIFORM && mine != null && theirs != null && !mine.equals(theirs)) {
                    assertThat(one.failed).as(() -> steps(state)).contains(other.id);
                    assertThat(other.failed).as(() -> steps(state)).contains(one.id);
                }
            }
        }
    }

    private void checkAllDecided(Crowd crowd, State state) {
        for (Crowd.Member member : crowd.core()) {
            assertThat(member.decisions).as(() -> steps(state)).hasSize(1);
        }
        for (Crowd.Member member : crowd.members) {
            assertThat(member.isLive() && !crowd.core().contains(member) && !member.core.isLeaving())
                    .as(() -> "an excluded process lives on: " + steps(state))
                    .isFalse();
        }
    }

    private static String steps(State state) {
        StringBuilder text = new StringBuilder();
        for (State at = state; at.event != null; at = at.before) {
            text.insert(0, at.event + "\n");
        }
        return text.toString();
    }

    private String fingerprint(Crowd crowd) {
        StringBuilder text = new StringBuilder();
        for (Crowd.Member member : crowd.members) {
            if (!member.isLive()) {
                text.append(member.up ? "fenced;" : "dead;");
                if (kind == Kind.AGREE_UNIFORM) {
                    text.append(member.decisions);
                }
                continue;
            }
            text.append(member.core)
                    .append(member.toDrain)
                    .append(member.decisions)
                    .append(';');
            for (Crowd.Member from : crowd.members) {
                if (!member.failed.contains(ProcessId.of(from.id.slot()))) {
                    text.append(crowd.channel(from.id.slot(), member.id.slot()));
                } else {
                    text.append(crowd.channel(from.id.slot(), member.id.slot()).stream()
                            .filter(message -> member.id.equals(Crowd.obituaryOf(message)))
                            .count());
                }
            }
        }
        return text.toString();
    }
}
