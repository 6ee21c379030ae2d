package org.ulfmj.launch.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** One document of a manifest of Kubernetes, or a part of one. */
record Manifest(Object value) {
    static final Path DIRECTORY = Path.of("..", "examples", "kubernetes");

    /** The documents in a file. A key that occurs twice in a map is an error. */
    static List<Manifest> read(String name) throws IOException {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        List<Manifest> documents = new ArrayList<>();
        String text = Files.readString(DIRECTORY.resolve(name));
        new Yaml(new SafeConstructor(options)).loadAll(text).forEach(each -> documents.add(new Manifest(each)));
        return documents;
    }

    /** The part at a path of keys and indices with dots between them, as {@code spec.containers.0}. */
    Manifest at(String path) {
        Object part = value;
        for (String key : path.split("[.]")) {
            part = part instanceof List<?> list ? list.get(Integer.parseInt(key)) : ((Map<?, ?>) part).get(key);
            if (part == null) {
                throw new AssertionError("no " + key + " of " + path + " in " + value);
            }
        }
        return new Manifest(part);
    }

    boolean has(String key) {
        return ((Map<?, ?>) value).containsKey(key);
    }

    String text() {
        return value.toString();
    }

    int number() {
        return (Integer) value;
    }

    List<Manifest> list() {
        return ((List<?>) value).stream().map(Manifest::new).toList();
    }

    List<String> words() {
        return list().stream().map(Manifest::text).toList();
    }

    /** All parts that are maps with this key, at any depth. */
    List<Manifest> having(String key) {
        List<Manifest> found = new ArrayList<>();
        if (value instanceof Map<?, ?> map) {
            if (map.containsKey(key)) {
                found.add(this);
            }
            addHaving(key, map.values(), found);
        } else if (value instanceof List<?> list) {
            addHaving(key, list, found);
        }
        return found;
    }

    private static void addHaving(String key, Collection<?> parts, List<Manifest> found) {
        parts.forEach(part -> found.addAll(new Manifest(part).having(key)));
    }
}
