package org.ulfmj.launch.process;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.ulfmj.launch.command.BindTo;

/**
 * Finds in {@code /sys} which processors of the system belong together: the hardware threads of a core, or the cores of
 * a socket, of a memory (NUMA) node or of a third-level cache. Used only where the user asks for a binding.
 */
final class CpuGroups {
    static final Path SYS = Path.of("/sys/devices/system");

    private final Path sys;

    CpuGroups(Path sys) {
        this.sys = sys;
    }

    /**
     * Divides processors into groups, in the order of the first processor of each.
     *
     * @param kind one that binds to groups: not {@code NONE}, {@code UNSAID} or {@code CPU_LIST}
     * @return the groups as {@code taskset} takes them; empty if the system does not tell
     */
    List<String> of(BindTo kind, List<Integer> processors) {
        Map<String, StringJoiner> groups = new LinkedHashMap<>();
        try {
            for (int processor : processors) {
                String group = group(kind, processor);
                if (group == null) {
                    return List.of();
                }
                groups.computeIfAbsent(group, anew -> new StringJoiner(",")).add(Integer.toString(processor));
            }
        } catch (IOException | NumberFormatException unknown) {
            return List.of();
        }
        return texts(groups.values());
    }

    private static List<String> texts(Collection<StringJoiner> groups) {
        List<String> texts = new ArrayList<>();
        groups.forEach(group -> texts.add(group.toString()));
        return texts;
    }

    /** A text that identifies the group of a processor; null if the system does not tell. */
    private String group(BindTo kind, int processor) throws IOException {
        Path cpu = sys.resolve("cpu/cpu" + processor);
        return switch (kind) {
            case HWTHREAD -> Integer.toString(processor);
            case CORE -> read(cpu.resolve("topology/thread_siblings_list"));
            case SOCKET -> read(cpu.resolve("topology/physical_package_id"));
            case NUMA -> nodeOf(processor);
            case L3CACHE -> cacheOf(cpu.resolve("cache"));
            default -> null;
        };
    }

    private String nodeOf(int processor) throws IOException {
        try (DirectoryStream<Path> nodes = Files.newDirectoryStream(sys.resolve("node"), "node[0-9]*")) {
            for (Path node : nodes) {
                if (Binding.parse(read(node.resolve("cpulist"))).contains(processor)) {
                    return node.getFileName().toString();
                }
            }
        }
        return null;
    }

    private static String cacheOf(Path caches) throws IOException {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(caches, "index[0-9]*")) {
            for (Path cache : all) {
                if (read(cache.resolve("level")).equals("3")) {
                    return read(cache.resolve("shared_cpu_list"));
                }
            }
        }
        return null;
    }

    private static String read(Path file) throws IOException {
        return Files.readString(file).trim();
    }
}
