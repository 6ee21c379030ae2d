package org.ulfmj.launch.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ulfmj.launch.hosts.Placement.Room;

class PlacementTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "2,1,3~5~00122~01202",
                "2,1,3~6~001222~012022",
                "2,1,3~1~0~0",
                "0,2~2~11~11",
            })
    void shouldFillHostsOrTakeThemInTurn(String slots, int size, String bySlot, String byNode) {
        assertThat(text(Placement.bySlot(rooms(slots), size, false))).isEqualTo(bySlot);
        assertThat(text(Placement.byNode(rooms(slots), size, false))).isEqualTo(byNode);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "2,1~4~0001~0100",
                "2,1~7~0000011~0100100",
                "1,1~5~00011~01010",
                // Two of the first host at most.
                "1<2,1~5~00111~01011",
                "0,0~3~001~010",
            })
    void shouldGiveHostsMoreThanTheirSlotsOnlyWhereTheyMayExceedThem(
            String slots, int size, String bySlot, String byNode) {
        assertThat(text(Placement.bySlot(rooms(slots), size, true))).isEqualTo(bySlot);
        assertThat(text(Placement.byNode(rooms(slots), size, true))).isEqualTo(byNode);
        for (boolean isByNode : new boolean[] {false, true}) {
            assertThatThrownBy(() -> place(isByNode, slots, size, false))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("-n: " + size + " processes, but 2 hosts have ")
                    .hasMessageEndingWith(
                            "; add --oversubscribe, or slots behind the names of hosts, as in --host a:4,b:4");
        }
    }

    @Test
    void shouldKeepTheMostThatAHostMayHave() {
        for (boolean isByNode : new boolean[] {false, true}) {
            assertThatThrownBy(() -> place(isByNode, "1<2,1<3", 6, true))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("-n: 6 processes, but 2 hosts have 5 slots, and no host may have more (max_slots, -N)");
        }
        assertThatThrownBy(() -> place(false, "1", 2, false)).hasMessageContaining("1 host has 1 slot;");
    }

    private static List<Integer> place(boolean isByNode, String slots, int size, boolean mayExceed) {
        return isByNode
                ? Placement.byNode(rooms(slots), size, mayExceed)
                : Placement.bySlot(rooms(slots), size, mayExceed);
    }

    private static List<Room> rooms(String text) {
        List<Room> rooms = new ArrayList<>();
        for (String word : text.split(",")) {
            String[] halves = word.split("<");
            int most = halves.length == 1 ? HostSlots.MOST_SLOTS : Integer.parseInt(halves[1]);
            rooms.add(new Room(rooms.size(), Integer.parseInt(halves[0]), most));
        }
        return rooms;
    }

    private static String text(List<Integer> hosts) {
        StringBuilder text = new StringBuilder();
        hosts.forEach(text::append);
        return text.toString();
    }
}
